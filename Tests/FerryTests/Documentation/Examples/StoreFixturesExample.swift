import StoreFixtures
import StoreMigration

/// Makes a store with twenty made-up objects of each entity. The same seed gives the same file.
func makeFixture(at path: String, models: String) throws -> FixtureReport {
    let version = try VersionCatalog(paths: [models]).version(forNewStore: nil)
    let fixture = StoreFixture(
        newStore: version.newStore, version: version.name, options: FixtureOptions(rows: 20, seed: 7))
    return try fixture.write(to: path)
}

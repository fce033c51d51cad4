import PersistentStores
import SQLiteAccess
@testable import StoreMigration
import TestSupport
import Testing

/// One migrator for stores of several versions, one after the other.
@Suite struct StoreMigratorTests {
    @Test(arguments: [0, 1, 2, 3, 7])
    func storesBecomeTheSameHoweverManyVersionsAreRemembered(kept: Int) throws {
        let directory = try TemporaryDirectory()
        let models = try MigrationModels(.init(models: [Samples.models("Company")]))
        func migrate(_ path: String, to version: String?, _ output: String) throws {
            var options = StoreMigrator.Options()
            options.destination = version
            options.keptVersions = 0
            _ = try StoreMigrator(models, options: options).plan(path, .output(output)).execute()
        }
        var stores = [try Samples.buildStore("Company", in: directory)]
        for version in ["Company 2", "Company 3"] {
            stores.append(directory.file(version + ".sqlite"))
            try migrate(stores[0], to: version, stores[stores.count - 1])
        }
        let expected = try stores.map { store in
            let result = directory.file("expected.sqlite")
            try migrate(store, to: nil, result)
            defer { try? FileSystem.remove(result) }
            return try databaseContent(result)
        }
        var options = StoreMigrator.Options()
        options.keptVersions = kept
        let migrator = StoreMigrator(models, options: options)
        for number in [0, 1, 1, 2, 0, 2, 1, 0, 0] {
            let result = directory.file("result.sqlite")
            let migration = try migrator.plan(stores[number], .output(result))
            #expect(try StoreMetadata.read(storeAt: stores[number]).versionHashes == migration.versionHashes)
            _ = try migration.execute()
            #expect(try databaseContent(result) == expected[number])
            try FileSystem.remove(result)
        }
    }
}

import ManagedObjectModels
import PersistentStores
import StoreFixtures
import TestSupport

/// Makes stores of models in a folder of its own.
struct FixtureFolder {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @discardableResult
    func make(
        _ model: ManagedObjectModel, rows: Int = 20, seed: UInt64 = 1, name: String = "store.sqlite"
    ) throws -> FixtureReport {
        try make(ResolvedModel(model), FixtureOptions(rows: rows, seed: seed), name: name)
    }

    @discardableResult
    func make(
        _ model: ResolvedModel, _ options: FixtureOptions, name: String = "store.sqlite"
    ) throws -> FixtureReport {
        let hashes = ModelHashes.hashes(of: model)
        let checksum = ModelHashes.checksum(of: hashes)
        let newStore = NewStore(
            model: model, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes), checksum: checksum,
            uuid: StoreFixture.uuid(seed: options.seed, checksum: checksum))
        return try StoreFixture(newStore: newStore, version: "test", options: options).write(to: directory.file(name))
    }

    func faults(_ model: ManagedObjectModel, name: String = "store.sqlite") throws -> [String] {
        try FixtureJudge(path: directory.file(name), model: ResolvedModel(model)).faults()
    }
}

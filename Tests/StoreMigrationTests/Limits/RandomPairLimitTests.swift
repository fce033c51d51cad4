import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Random models, changes and stores: with any limits the result is right by the rules of the independent checker, and
/// row for row the one that large limits give.
@Suite struct RandomPairLimitTests {
    private func check(seed: UInt64, size: Int?) throws {
        var random = RandomNumbers(seed: seed)
        var models = RandomModel(seed: seed)
        let old = models.model()
        let new = models.laterVersion(of: old)
        var writer = StoreWriter()
        writer.columnSeed = seed
        writer.hasHistory = Int.random(in: 0..<4, using: &random) == 0
        let store = try TestStore(from: old, to: new, writer: writer, content: seed &* 31 &+ 7, upTo: 12)
        let whole = store.directory.file("Whole.sqlite")
        let plan = try store.plan(.output(whole))
        guard !plan.isRefused, !plan.isUpToDate else { return }
        try store.migrate(.output(whole))
        let result = store.directory.file("Result.sqlite")
        let options = MigrationOptions.limited(size, &random)
        let context = "seed \(seed), \(options)"
        try store.migrate(.output(result), options: options)
        let differences = try StoreDump(of: result).differences(from: StoreDump(of: whole))
        try #require(differences == [], "\(context)")
        try checkIndependently(result, old, new, store, context)
        try store.migrate(.inPlace(backup: nil), options: .limited(size, &random))
        let connection = try Connection(path: store.path, access: .readOnly)
        #expect(try connection.value("PRAGMA integrity_check").string == "ok", "\(context)")
    }

    private func checkIndependently(
        _ result: String, _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ store: TestStore, _ context: String
    ) throws {
        guard StoreChecker.isPresent else { return }
        let bundle = store.directory.file("Model.xcdatamodeld")
        try GeneratedModels.write([("old", old), ("new", new)], to: bundle)
        let verdict = try StoreChecker.check(
            "migrated", store.path, bundle + "/old.xcdatamodel", result, bundle + "/new.xcdatamodel")
        try #require(verdict.status == 0, "\(verdict.text)\n\(context)")
        let layout = try StoreChecker.check("layout", result, bundle + "/new.xcdatamodel")
        try #require(layout.status == 0, "\(layout.text)\n\(context)")
    }

    @Test(.long, arguments: RandomNumbers.limitSizes, 0..<8)
    func randomModelsMigrateAlikeWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(.long, arguments: 0..<24)
    func randomModelsMigrateAlikeWithLimitsOfSeveralSizes(seed: Int) throws {
        try check(seed: UInt64(100_000 + seed), size: nil)
    }
}

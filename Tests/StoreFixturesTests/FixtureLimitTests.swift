import Foundation
import GeneratedStores
import ManagedObjectModels
import TestSupport
import Testing

@testable import StoreFixtures

/// What made-up data are depends on none of the sizes of batches and caches.
@Suite struct FixtureLimitTests {
    @Test(arguments: RandomNumbers.limitSizes, UInt64(1)...4)
    func aSeedGivesTheSameStoreWithAnyLimits(size: Int, seed: UInt64) throws {
        var models = RandomModel(seed: seed * 100)
        let model = models.model()
        let resolved = try ResolvedModel(model)
        let folder = try FixtureFolder()
        var options = FixtureOptions(rows: 20, seed: seed)
        try folder.make(resolved, options)
        var random = RandomNumbers(seed: seed)
        options.fixedLimits.reportedRows = size
        options.fixedLimits.pages = size
        options.fixedLimits.build = .init(size, &random)
        try folder.make(resolved, options, name: "small.sqlite")
        let (large, small) = (folder.directory.file("store.sqlite"), folder.directory.file("small.sqlite"))
        let isSame = FileManager.default.contentsEqual(atPath: large, andPath: small)
        #expect(isSame)
        #expect(try StoreDump(of: small).differences(from: StoreDump(of: large)) == [])
        #expect(try folder.faults(model, name: "small.sqlite") == [])
    }

    /// Whenever it is asked: between rows, before the pages are checked, and while they are.
    @Test func aRunCanBeCancelledUntilItsPagesAreChecked() throws {
        let model = try ResolvedModel(ManagedObjectModel(entities: [entity("Thing", [attribute("name")])]))
        let folder = try FixtureFolder()
        var cancelled = 0
        while true {
            var options = FixtureOptions(rows: 40_000, seed: 1)
            options.fixedLimits.reportedRows = 20_000
            var left = cancelled
            options.isCancelled = {
                left -= 1
                return left < 0
            }
            do {
                _ = try folder.make(model, options)
                break
            } catch FixtureError.cancelled {
                cancelled += 1
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path) == [])
            }
        }
        // Two reports of rows, the question before the check, and more in it.
        #expect(cancelled > 3)
    }
}

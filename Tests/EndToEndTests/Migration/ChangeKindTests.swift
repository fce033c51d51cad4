import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// Every kind of change that inference supports, wherever the result goes, as the independent checker sees it.
@Suite(.enabled(if: StoreChecker.isPresent, "the checker of stores is not on this machine"))
struct ChangeKindTests {
    private static let inlined = "external storage is switched off"

    @Test(.long, arguments: ChangeKind.all)
    func isMigrated(_ kind: ChangeKind) throws {
        for (number, placement) in Placement.allCases.enumerated() {
            var writer = StoreWriter()
            writer.journal = StoreWriter.Journal.allCases[number]
            // Some of the data in files, some inline.
            writer.externalThreshold = 90
            let change = try ModelChange(
                kind.source, kind.destination, composites: kind.composites, writer: writer, upTo: 25, seed: 11)
            let (run, result) = try change.migrate(placement)
            let status = kind.name == Self.inlined ? 1 : 0
            #expect(run.status == status, "\(placement): \(run.summary)")
            guard run.status == status else { continue }
            let check = change.check(result)
            #expect(
                try check.faults(model: change.destination) + check.leftovers() == [], "\(placement): \(run.summary)")
        }
    }

    @Test func filesOfDataThatBecameInlineStay() throws {
        let kind = try #require(ChangeKind.all.first { $0.name == Self.inlined })
        var writer = StoreWriter()
        writer.externalThreshold = 90
        let change = try ModelChange(kind.source, kind.destination, writer: writer, upTo: 40)
        let files = try FileSystem.names(in: StoreFiles(change.folder.store).externalDataDirectory)
        #expect(files.count > 3)
        let (run, result) = try change.migrate(.replace)
        // Core Data would infer no mapping.
        #expect(run.status == 1 && run.output.contains("[external-data-inlined; error 134190]"), "\(run.summary)")
        // An older backup of the store may still name them.
        #expect(try FileSystem.names(in: StoreFiles(result).externalDataDirectory) == files)
    }
}

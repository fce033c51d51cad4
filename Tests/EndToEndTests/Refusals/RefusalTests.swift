import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

/// What inference must refuse: with entity, property and number, and without a byte changed.
@Suite struct RefusalTests {
    struct Refusal: Sendable, CustomStringConvertible {
        /// The version of the sample that can't be reached.
        let version: String
        /// What the message names.
        let words: [String]
        var description: String { version }
    }

    static let refusals = [
        Refusal(version: "Ledger type change", words: ["Account.number", "String", "Integer 64", "134190"]),
        Refusal(version: "Ledger to-one", words: ["Account.booking", "to-many", "134190"]),
        Refusal(version: "Ledger one hierarchy", words: ["Account and Booking", "134190"]),
        Refusal(
            version: "Ledger required",
            words: [
                "Booking.text", "missing attribute values on mandatory destination attribute", "134110",
                "x-coredata://",
            ]),
        Refusal(version: "Ledger unique", words: ["Account.owner", "134111", "x-coredata://"]),
    ]

    @Test(.long, arguments: refusals, Placement.allCases)
    func namesWhatStandsAgainstItAndChangesNothing(_ refusal: Refusal, _ placement: Placement) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Ledger", in: directory)
        let folder = try StoreFolder(copying: store)
        let copy = try folder.copy(named: placement.rawValue)
        let before = try FolderState(of: FileSystem.directory(of: copy))
        var words = ["migrate", copy, "--models", Samples.models("Ledger"), "--to", refusal.version]
        let result = folder.directory.file("New.sqlite")
        if placement == .output { words += ["--output", result] }
        if placement == .inPlace { words += ["--in-place"] }
        let report = folder.directory.file("report.json")
        let run = try ToolProcess.ferry(words + ["--report", report])
        #expect(run.status == 2)
        for word in refusal.words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(try FolderState(of: FileSystem.directory(of: copy)) == before)
        #expect(!FileSystem.exists(result))
        // The report says why, too.
        let plan = try PlanReading(String(contentsOfFile: report, encoding: .utf8))
        #expect(!plan.refusals.isEmpty)
        #expect(plan.verdict == "refused; nothing would change")
        // And a dry run would have told.
        let dryRun = try ToolProcess.ferry(words + ["--dry-run"])
        #expect(dryRun.status == 2)
        for word in refusal.words { #expect(dryRun.output.contains(word), "\(dryRun.output)") }
        #expect(try FolderState(of: FileSystem.directory(of: copy)) == before)
    }

    /// The same models with rows that break nothing are migrated.
    @Test(arguments: ["Ledger required", "Ledger unique"])
    func whatTheDataDecideGoesThroughWithOtherData(version: String) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Ledger", in: directory)
        let mended = try ToolProcess.run(
            "/usr/bin/env",
            ["sqlite3", store, "UPDATE ZBOOKING SET ZTEXT = 'x'; UPDATE ZACCOUNT SET ZOWNER = 'owner' || Z_PK"])
        #expect(mended.status == 0)
        let run = try ToolProcess.ferry(["migrate", store, "--models", Samples.models("Ledger"), "--to", version])
        #expect(run.status == 0, "\(run.summary)")
    }

    @Test func linksThatNoStoreCouldKeepAreNotDroppedSilently() throws {
        let source = [
            entity("A", [attribute("x")], [relationship("b", to: "B", inverse: "a", many: true)]),
            entity("B", [attribute("y")], [relationship("a", to: "A", inverse: "b", many: true)]),
        ]
        let destination = [
            entity("A", [attribute("x")], [relationship("b", to: "B", many: true)]), entity("B", [attribute("y")]),
        ]
        let change = try ModelChange(source, destination, upTo: 20)
        let (run, _) = try change.migrate(.replace)
        #expect(run.status == 2)
        #expect(run.errors.contains("A.b"))
        #expect(run.errors.contains("shared-destinations"))
    }

    @Test func whatADefaultWouldMakeEqualIsFoundBefore() throws {
        let source = [entity("A", unique: [["code"]], [attribute("code")])]
        let destination = [
            entity("A", unique: [["code"]], [attribute("code", optional: false, default: .string("none"))])
        ]
        let change = try ModelChange(source, destination, upTo: 60)
        let (run, _) = try change.migrate(.replace, ["--dry-run"])
        #expect(run.status == 2)
        #expect(run.output.contains("134111"))
    }
}

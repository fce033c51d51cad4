import Foundation
import GeneratedStores
import ManagedObjectModels
import SQLiteAccess
import TestSupport
import Testing

/// Options of `ferry migrate` that decide what stays, and what is looked at.
@Suite struct MigrateOptionTests {
    private static let old = [entity("Note", [attribute("text")])]
    private static let longer = [entity("Note", [attribute("text"), attribute("size", .integer32)])]
    /// The numbers of entities follow the alphabet.
    private static let renumbered = [entity("Memo"), entity("Note", [attribute("text")])]

    private func change(to new: [EntityDescription]) throws -> ModelChange {
        var writer = StoreWriter()
        writer.hasHistory = true
        return try ModelChange(Self.old, new, writer: writer)
    }

    @Test(arguments: [
        ("auto", longer, true), ("keep", longer, true), ("drop", longer, false), ("auto", renumbered, true),
        ("keep", renumbered, true), ("drop", renumbered, false),
    ])
    func historyStaysAsAsked(_ how: String, _ new: [EntityDescription], _ stays: Bool) throws {
        let change = try change(to: new)
        let (run, result) = try change.migrate(.output, ["--history", how])
        #expect(run.status < 2, "\(run.summary)")
        let tables = try StoreRows.of(result, "SELECT name FROM sqlite_master WHERE name = 'ATRANSACTION'")
        #expect(tables.isEmpty != stays, "\(run.summary)")
        if stays {
            let changes =
                "SELECT c.Z_PK, n.Z_PK FROM ACHANGE c JOIN ZNOTE n ON n.Z_PK = c.ZENTITYPK AND n.Z_ENT = c.ZENTITY "
                + "ORDER BY 1"
            #expect(try StoreRows.of(result, changes) == StoreRows.of(change.folder.store, changes))
        }
    }

    @Test func historyThatCannotStayIsARefusal() throws {
        let change = try change(to: [entity("Memo")])
        let (run, result) = try change.migrate(.output, ["--history", "keep"])
        #expect(run.status == 2 && run.errors.contains("history-changes-removed"), "\(run.summary)")
        #expect(throws: SQLiteError.self) { try StoreRows.of(result, "SELECT 1") }
    }

    @Test(arguments: [["--verify-full"], ["--batch-rows", "1"], ["--batch-bytes", "1KiB", "--writer", "sqlite"]])
    func theResultIsTheSame(_ words: [String]) throws {
        let change = try ModelChange(Self.old, Self.renumbered, upTo: 40)
        let (run, result) = try change.migrate(.output, words)
        #expect(run.status == 0, "\(run.summary)")
        let notes = "SELECT Z_PK, ZTEXT FROM ZNOTE ORDER BY 1"
        let rows = try StoreRows.of(change.folder.store, notes)
        #expect(try StoreRows.of(result, notes) == rows && rows.count > 1)
    }

    /// Notes are no findings by themselves; "dropped" stands for all codes of lost objects and values.
    static let gates: [(codes: [String], status: Int32)] = [
        ([], 0), (["dropped"], 1), (["values-dropped"], 1), (["objects-dropped"], 0),
        (["objects-dropped,values-dropped"], 1), (["objects-dropped", "values-dropped"], 1), (["unknown-tables"], 0),
    ]

    @Test(arguments: gates)
    func aDryRunFailsOnWhatIsAsked(_ codes: [String], _ status: Int32) throws {
        let change = try ModelChange([entity("Note", [attribute("text"), attribute("more")])], Self.old, upTo: 20)
        let (run, _) = try change.migrate(.output, ["--dry-run"] + codes.flatMap { ["--fail-on", $0] })
        #expect(run.status == status, "\(run.summary)")
        #expect(run.output.contains("[values-dropped"), "\(run.output)")
    }

    /// The plan of a dry run can be kept, as a page or as JSON.
    @Test(arguments: ["plan.html", "plan.json"])
    func aDryRunWritesItsPlan(name: String) throws {
        let change = try ModelChange(Self.old, Self.longer, upTo: 3)
        let file = change.folder.directory.file(name)
        let (run, result) = try change.migrate(.output, ["--dry-run", "--report", file])
        #expect(run.status == 0, "\(run.summary)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(name.hasSuffix("html") ? "Nothing was changed." : "\"verdict\""))
        #expect(throws: SQLiteError.self) { try StoreRows.of(result, "SELECT 1") }
    }

    @Test(arguments: ["nonsense", "dropped,nonsense", "value-dropped", ""])
    func anUnknownFindingToFailOnIsAnError(_ codes: String) throws {
        let change = try ModelChange(Self.old, Self.renumbered, upTo: 1)
        let (run, _) = try change.migrate(.output, ["--dry-run", "--fail-on=" + codes])
        #expect(run.status == 64 && run.output.isEmpty, "\(run.summary)")
        for known in ["dropped", "objects-dropped", "unknown-tables"] { #expect(run.errors.contains(known)) }
        let suggestion = run.errors.contains("did you mean values-dropped?")
        #expect(suggestion == (codes == "value-dropped"), "\(run.errors)")
    }
}

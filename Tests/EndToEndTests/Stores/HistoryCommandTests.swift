import Foundation
import TestSupport
import Testing

/// `ferry history` as a user runs it.
@Suite final class HistoryCommandTests: CompanyStoreSuite {
    private static let uuid = "8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31"

    private func history(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(["history", store] + words)
    }

    private func numbers(_ run: ToolProcess.Result) throws -> [Int] {
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let transactions = try #require(document?["transactions"] as? [[String: Any]], "\(run.summary)")
        return transactions.compactMap { $0["number"] as? Int }
    }

    @Test func aStoreWithoutHistorySaysSo() throws {
        let run = try history()
        #expect(run.status == 2 && run.errors.contains("keeps no persistent history"), "\(run.summary)")
    }

    @Test func jsonHasTheChangesOfEachTransaction() throws {
        try Samples.addHistory(to: store)
        let run = try history("--json", "--changes")
        #expect(run.status == 0, "\(run.summary)")
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(document?["token"] as? String == Self.uuid + ":3")
        let transactions = try #require(document?["transactions"] as? [[String: Any]])
        #expect(transactions.compactMap { $0["author"] as? String } == ["app", "sync", "app"])
        #expect(transactions[1]["date"] as? String == "2025-01-31T07:06:40Z")
        let changes = try #require(transactions[2]["changes"] as? [[String: Any]])
        #expect(changes.compactMap { $0["kind"] as? String } == ["deleted"])
        #expect(changes.compactMap { $0["object"] as? String } == ["x-coredata://\(Self.uuid)/Project/p90"])
    }

    @Test(arguments: [
        (["--since", uuid + ":2"], [3]), (["--since", uuid + ":3"], []), (["--author", "sync"], [2]),
        (["--entity", "Project"], [3]), (["--after", "2025-01-31"], [2, 3]), (["--before", "2025-01-31"], [1]),
        (["--limit", "2"], [1, 2]),
    ])
    func filtersLeaveOutTransactions(words: [String], numbers: [Int]) throws {
        try Samples.addHistory(to: store)
        #expect(try self.numbers(ToolProcess.ferry(["history", store, "--json"] + words)) == numbers)
    }

    @Test(arguments: [
        (["--since", "3"], Int32(64), "UUID:NUMBER"), (["--after", "soon"], 64, "date"),
        (["--keep", "3"], 64, "--prune"), (["--prune"], 64, "--keep"),
        (["--prune", "--keep", "1", "--before", "2025-01-01"], 64, "--before"),
        (["--prune", "--keep", "-1"], 64, "transactions"), (["--prune", "--keep", "1", "--changes"], 64, "--changes"),
        (["--entity", "Nothing"], 2, "no entity Nothing"), (["--since", uuid + ":9"], 2, "not of this store"),
    ])
    func wrongWordsAreRefused(words: [String], status: Int32, message: String) throws {
        try Samples.addHistory(to: store)
        let run = try ToolProcess.ferry(["history", store] + words)
        #expect(run.status == status && run.errors.contains(message), "\(run.summary)")
    }

    /// The edit's transaction has a number that no transaction had before.
    @Test func pruningAndEditingGoTogether() throws {
        try Samples.addHistory(to: store)
        let dry = try history("--prune", "--keep", "0", "--dry-run", "--json")
        #expect(dry.output.contains("\"removedTransactions\" : 3"), "\(dry.summary)")
        #expect(try numbers(history("--json")) == [1, 2, 3])
        #expect(try history("--prune", "--keep", "0").status == 0)
        let old = try history("--since", Self.uuid + ":1")
        #expect(old.status == 2 && old.errors.contains("134301"), "\(old.summary)")
        let words = ["edit", store] + models + ["--update", "Department", "--where", "code = 10", "--set", "budget=1"]
        #expect(try ToolProcess.ferry(words).status == 0)
        let next = try history("--since", Self.uuid + ":3", "--json")
        #expect(try numbers(next) == [4])
        #expect(next.output.contains("\"author\":\"ferry\""), "\(next.summary)")
    }

    @Test func storesOfOtherTypesHaveNone() throws {
        let xml = directory.file("Company.xml")
        let conversion = try ToolProcess.ferry(["convert", store] + models + ["--to", "xml", "--output", xml])
        #expect(conversion.status < 2, "\(conversion.summary)")
        let run = try ToolProcess.ferry(["history", xml])
        #expect(run.status == 2 && run.errors.contains("keeps no persistent history"), "\(run.summary)")
    }
}

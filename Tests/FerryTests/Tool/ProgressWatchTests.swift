import Foundation
import TestSupport
import Testing

/// Commands whose rows are not counted show that it goes on; the others show rows.
@Suite struct ProgressWatchTests {
    private static let company = Samples.models("Company")

    private static let commands: [(words: [String], stage: String)] = [
        (["repair", "STORE", "--models", company, "--fix", "dangling-join-row"], "repairing"),
        (["export", "STORE", "--models", company, "--entity", "Department", "--output", "FOLDER/d.csv"], "exporting"),
        (
            ["edit", "STORE", "--models", company, "--delete", "Department", "--where", "FALSEPREDICATE", "--dry-run"],
            "editing"
        ),
        (
            ["merge-into", "STORE", "COPY", "--models", company, "--entity", "Department", "--on-match", "skip"],
            "merging"
        ),
        (["copy", "STORE", "FOLDER/Other.sqlite"], "copying"), (["move", "STORE", "FOLDER/Other.sqlite"], "moving"),
        (["history", "HISTORY"], "reading"), (["history", "HISTORY", "--prune", "--keep", "1"], "pruning"),
        (["lint", company], "checking"), (["infer", "--models", company, "--from", "Company"], "inferring"),
        (["verify", "STORE", "--models", company], "checking"),
    ]

    @Test(arguments: commands) func everyLongCommandShowsProgress(_ words: [String], stage: String) throws {
        let json = try Self.run(words)
        #expect(json.status == 0 || json.status == 1, "\(json.summary)")
        let lines = json.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
        let first = try #require(lines.first, "\(json.summary)")
        let line = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
        #expect(line["stage"] as? String == stage)
        #expect((line["memory"] as? Int ?? 0) > 0)
        // Rows are counted, or the bytes that were read.
        #expect((line["total"] as? Int) != nil || (line["read"] as? Int ?? 0) > 0)
        #expect(!json.output.contains("\"stage\""))
    }

    /// Of work that is counted, the last line has all of it.
    @Test(arguments: [
        (["export", "STORE", "--models", company, "--entity", "Department", "--output", "FOLDER/d.csv"], "exporting"),
        (["repair", "STORE", "--models", company, "--fix", "dangling-join-row"], "verifying"),
        (["history", "HISTORY"], "reading"),
    ]) func countedRowsAreShown(_ words: [String], stage: String) throws {
        let result = try Self.run(words)
        let last = try #require(result.errors.split(separator: "\n").last { $0.hasPrefix("{") }, "\(result.summary)")
        let line = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(line["stage"] as? String == stage)
        let rows = try #require(line["rows"] as? Int)
        switch stage {
        case "exporting":
            #expect((rows, line["total"] as? Int) == (6, 6))
            #expect(line["table"] as? String == "Department")
        case "reading":
            #expect(rows > 0 && line["table"] as? String == "ATRANSACTION")
        default:
            #expect(rows > 0 && rows <= line["total"] as? Int ?? 0)
        }
    }

    /// Runs a command with progress for programs, on stores of its own.
    private static func run(_ words: [String]) throws -> ToolProcess.Result {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let (copy, history) = (directory.file("Copy.sqlite"), directory.file("History.sqlite"))
        for path in [copy, history] { try FileManager.default.copyItem(atPath: store, toPath: path) }
        try Samples.addHistory(to: history)
        let names = ["STORE": store, "COPY": copy, "HISTORY": history]
        return try ToolProcess.ferry(
            words.map { (names[$0] ?? $0).replacing("FOLDER", with: directory.path) } + ["--progress", "json"])
    }
}

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
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let copy = directory.file("Copy.sqlite")
        for path in [copy, directory.file("History.sqlite")] {
            try FileManager.default.copyItem(atPath: store, toPath: path)
        }
        try Samples.addHistory(to: directory.file("History.sqlite"))
        func run(_ mode: String) throws -> ToolProcess.Result {
            try ToolProcess.ferry(
                words.map {
                    let names = ["STORE": store, "COPY": copy, "HISTORY": directory.file("History.sqlite")]
                    return (names[$0] ?? $0).replacing("FOLDER", with: directory.path)
                } + ["--progress", mode])
        }
        let json = try run("json")
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
}

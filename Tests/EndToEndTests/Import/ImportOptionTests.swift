import Foundation
import TestSupport
import Testing

/// Options of `ferry import` that decide what a record does, tried with the built tool.
@Suite struct ImportOptionTests {
    private static func run(
        _ text: String, _ words: [String], in directory: TemporaryDirectory
    ) throws -> ToolProcess.Result {
        let source = try directory.write(text, to: "chefs.ndjson")
        return try ToolProcess.ferry(
            [
                "import", source, "--store", directory.file("S.sqlite"), "--models", Samples.models("Recipes"),
                "--entity", "Chef", "--key", "name", "--progress", "none", "--json",
            ] + words)
    }

    private static func counts(_ result: ToolProcess.Result) throws -> [String: Int] {
        let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let entities = try #require(report?["entities"] as? [[String: Any]])
        return entities.first { $0["entity"] as? String == "Chef" }?.compactMapValues { $0 as? Int } ?? [:]
    }

    @Test func missingAndMatchingObjectsAreTreatedAsTheOptionsSay() throws {
        let directory = try TemporaryDirectory()
        let text = "{\"name\": \"A\"}\n{\"name\": \"B\"}\n"
        let skipped = try Self.run(text, ["--on-missing", "skip"], in: directory)
        #expect(try Self.counts(skipped)["inserted"] ?? 0 == 0, "\(skipped.summary)")
        let first = try Self.run(text, ["--batch-bytes", "1KiB"], in: directory)
        #expect(try Self.counts(first)["inserted"] == 2, "\(first.summary)")
        let again = try Self.run(text, ["--on-match", "error"], in: directory)
        #expect(again.status == 1, "\(again.summary)")
        let stopped = try Self.run(text, ["--on-match", "error", "--max-rejects", "1"], in: directory)
        #expect(stopped.status == 2, "\(stopped.summary)")
    }

    @Test(arguments: [
        ["--max-rejects", "-1"], ["--resume"], ["--commit", "batch", "--resume", "--dry-run"], ["--batch-rows", "0"],
        ["--commit", "batch", "--writer", "builder"], ["--report", "no folder/report.json"], ["--mapping", "x.yaml"],
    ])
    func whatCannotBeMeantIsAMistakeInTheCommandLine(words: [String]) throws {
        let directory = try TemporaryDirectory()
        let result = try Self.run("{\"name\": \"A\"}\n", words, in: directory)
        #expect(result.status == 64, "\(result.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("S.sqlite")))
    }
}

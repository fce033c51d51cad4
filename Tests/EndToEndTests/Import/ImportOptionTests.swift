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

    @Test(arguments: [false, true])
    func aRecordIsReportedWithAllItsFaultsOrWithTheFirst(isFirstOnly: Bool) throws {
        let directory = try TemporaryDirectory()
        let source = try directory.write("code,title,deadline,budget\nVENUS,Venus,tomorrow,a lot\n", to: "p.csv")
        let words = ["--models", Samples.models("Company"), "--progress", "none"]
        let option = isFirstOnly ? ["--first-fault"] : []
        func check(_ result: ToolProcess.Result) throws {
            #expect(result.status == 1, "\(result.summary)")
            let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            let records = try #require(report?["firstFaults"] as? [[String: Any]])
            let faults = try #require(records.first?["faults"] as? [[String: Any]])
            let properties = isFirstOnly ? ["deadline"] : ["deadline", "budget"]
            #expect(faults.map { $0["property"] as? String } == properties && records.count == 1)
            #expect(records.first?["faultCount"] as? Int == properties.count)
            #expect((report?["firstRejections"] as? [String])?.count == 1)
        }
        let plan = ["--entity", "Project"]
        try check(
            ToolProcess.ferry(
                ["import", source, "--store", directory.file("S.sqlite"), "--json"] + plan + words + option))
        let spool = directory.file("spool")
        let shard = ["--spool", spool, "--shard", "1/1"]
        #expect(try ToolProcess.ferry(["import", source] + plan + words + shard).status == 0)
        try check(
            ToolProcess.ferry(
                ["assemble", spool, "--store", directory.file("A.sqlite"), "--json", "--progress", "none"] + option))
        #expect(try ToolProcess.ferry(["import", source, "--first-fault"] + plan + words + shard).status == 64)
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

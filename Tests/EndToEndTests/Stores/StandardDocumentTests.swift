import Foundation
import TestSupport
import Testing

/// A hyphen as the path of a document is standard output: what is there can be read by another program.
@Suite final class StandardDocumentTests: CompanyStoreSuite {
    private func ferry(_ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private func keys(_ text: String) throws -> Set<String> {
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return Set(try #require(document).keys)
    }

    private func commands(_ hyphen: String) throws -> [(words: [String], key: String)] {
        try directory.write("code,title,deadline,budget\nV,Venus,tomorrow,a lot\nM,Mars,,1\n", to: "p.csv")
        let version = models + ["--version", "Company"]
        let spooled = try ferry(
            ["import", "p.csv", "--entity", "Project", "--spool", "spool", "--shard", "1/1"] + models + ["--force"])
        #expect(spooled.status == 0, "\(spooled.summary)")
        return [
            (["verify", store] + models, "findings"),
            (["lint", models[1]], "findings"),
            (["migrate", store, "--output", "New\(hyphen).sqlite"] + models, "rowsRead"),
            (["migrate", store, "--output", "No.sqlite", "--dry-run"] + models, "steps"),
            (["convert", store, "--output", "C\(hyphen).sqlite"] + models, "entities"),
            (["import", "p.csv", "--entity", "Project", "--store", "I\(hyphen).sqlite"] + version, "rejections"),
            (["assemble", "spool", "--store", "A\(hyphen).sqlite"], "rejections"),
        ]
    }

    @Test(.long) func aReportIsThatOfAFile() throws {
        for (plain, standard) in try zip(commands("1"), commands("2")) {
            let run = try ferry(standard.words + ["--report", "-", "--progress", "none"])
            let file = try ferry(plain.words + ["--report", "report.json", "--force", "--progress", "none"])
            #expect(run.status == file.status && run.status < 2, "\(run.summary)")
            let report = try String(contentsOfFile: directory.file("report.json"), encoding: .utf8)
            #expect(try keys(run.output) == keys(report) && keys(report).contains(standard.key), "\(run.summary)")
            // What people read is what they have read, elsewhere.
            #expect(
                !run.errors.isEmpty
                    && run.errors.split(separator: "\n").count >= file.output.split(separator: "\n").count)
            #expect(!FileManager.default.fileExists(atPath: directory.file("-")))
        }
    }

    @Test func twoDocumentsAreRefused() throws {
        for (words, _) in try commands("3") {
            let other = words[0] == "lint" ? ["--format", "json"] : ["--json"]
            let run = try ferry(words + ["--report", "-"] + other)
            #expect(
                run.status == 64 && run.output.isEmpty && run.errors.contains("exclude each other"), "\(run.summary)")
        }
        for words in [
            ["import", "p.csv", "--entity", "Project", "--store", "N.sqlite", "--report", "-", "--rejects", "-"]
                + models,
            ["import", "p.csv", "--entity", "Project", "--store", "N.sqlite", "--json", "--rejects", "-"] + models,
            ["import", "p.csv", "--entity", "Project", "--store", "N.sqlite", "--commit", "batch", "--rejects", "-"]
                + models,
            ["lint", models[1], "--report", "-", "--output", "-"],
            ["export", store, "--all", "--output", "out", "--rejects", "-", "--write-mapping", "-"] + models,
            ["export", store, "--entity", "Project", "--write-mapping", "-"] + models,
            ["export", store, "--entity", "Project", "--output", "-", "--rejects", "-"] + models,
            ["convert", store, "--output", "N.sqlite", "--id-map", "-"] + models,
        ] {
            let run = try ferry(words)
            #expect(run.status == 64 && run.output.isEmpty, "\(run.summary)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("N.sqlite")))
    }

    /// The log of a folder, also of an import that ends with an error.
    @Test(arguments: ["import", "assemble"]) func rejectedRecordsAreALogOnStandardOutput(command: String) throws {
        var text = "code,title,deadline,budget\n"
        for number in 1...60 {
            text += "C\(number),T,\(number % 2 == 0 ? "tomorrow" : ""),\(number % 3 == 0 ? "x" : "1")\n"
        }
        try directory.write(text, to: "p.csv")
        let words: [String]
        if command == "import" {
            words = ["import", "p.csv", "--entity", "Project", "--version", "Company", "--batch-rows", "7"] + models
        } else {
            let spooled = try ferry(
                [
                    "import", "p.csv", "--entity", "Project", "--version", "Company", "--spool", "spool", "--shard",
                    "1/1",
                ]
                    + models)
            #expect(spooled.status == 0, "\(spooled.summary)")
            words = ["assemble", "spool"]
        }
        let folder = try ferry(words + ["--store", "A.sqlite", "--rejects", "rejects", "--json", "--progress", "none"])
        let run = try ferry(words + ["--store", "B.sqlite", "--rejects", "-", "--progress", "none"])
        #expect(folder.status == 1 && run.status == 1, "\(run.summary)")
        let log = try String(contentsOfFile: directory.file("rejects/rejects.ndjson"), encoding: .utf8)
        #expect(run.output == log && log.split(separator: "\n").count == 50)
        #expect(run.errors.contains("faults of all 40 rejected records:"), "\(run.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("-")))
        // The report counts what the log has, not only the first ones.
        let report = try JSONSerialization.jsonObject(with: Data(folder.output.utf8)) as? [String: Any]
        let kinds = try #require(report?["rejections"] as? [[String: Any]])
        let counts = kinds.map { "\($0["property"] ?? "-") \($0["code"] ?? "-") \($0["count"] ?? "-")" }.sorted()
        #expect(counts == ["budget 1550 20", "deadline 1650 30"])
        #expect((report?["firstFaults"] as? [Any])?.count == 20)
        let failed = try ferry(
            words + ["--store", "C.sqlite", "--rejects", "-", "--max-rejects", "3", "--progress", "none"])
        // An import ends with the batch that has too many.
        #expect(failed.status == 2 && !failed.output.isEmpty && log.hasPrefix(failed.output), "\(failed.summary)")
    }

    @Test func anExportGivesItsMappingOrWhatItLeavesOut() throws {
        let words = ["export", store, "--all"] + models
        let file = try ferry(words + ["--output", "a", "--write-mapping", "m.yaml"])
        let mapping = try ferry(words + ["--output", "b", "--write-mapping", "-"])
        #expect(file.status == mapping.status && mapping.output.hasPrefix("import: 1\n"), "\(mapping.summary)")
        #expect(try mapping.output == String(contentsOfFile: directory.file("m.yaml"), encoding: .utf8))
        #expect(mapping.errors.contains("6 objects of Department in b/Department.csv"))
        let xml = words + ["--format", "xml"]
        let rejects = try ferry(xml + ["--output", "c", "--rejects", "r.ndjson"])
        let standard = try ferry(xml + ["--output", "d", "--rejects", "-"])
        #expect(rejects.status == 1 && standard.status == 1, "\(standard.summary)")
        let lines = try String(contentsOfFile: directory.file("r.ndjson"), encoding: .utf8)
        #expect(standard.output == lines && !lines.isEmpty)
    }
}

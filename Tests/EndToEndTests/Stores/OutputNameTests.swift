import Foundation
import PersistentStores
import TestSupport
import Testing

/// What the path of `--output` says: the form of an export by its extension, and standard output by a hyphen.
@Suite final class OutputNameTests: CompanyStoreSuite {
    private func ferry(_ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private func export(_ words: String...) throws -> ToolProcess.Result {
        try ferry(["export", store, "--entity", "Department"] + models + words)
    }

    @Test(arguments: [("json", "json"), ("jsonl", "ndjson"), ("XML", "xml"), ("csv", "csv"), ("txt", "csv")])
    func theExtensionSaysTheFormat(name: String, format: String) throws {
        let plain = try export("--format", format)
        let named = try export("--output", "Departments.\(name)")
        #expect(plain.status < 2 && named.status == plain.status, "\(named.summary)")
        #expect(try String(contentsOfFile: directory.file("Departments.\(name)"), encoding: .utf8) == plain.output)
        #expect(!named.errors.contains("holds"), "\(named.summary)")
    }

    @Test func anOptionOverrulesTheExtension() throws {
        let run = try export("--output", "Departments.json", "--format", "csv")
        #expect(run.status < 2 && !run.errors.contains("holds"), "\(run.summary)")
        #expect(
            try String(contentsOfFile: directory.file("Departments.json"), encoding: .utf8)
                == export("--format", "csv").output)
    }

    @Test func anExtensionOfNoFormatIsNamed() throws {
        let run = try export("--output", "Departments.xlsx")
        #expect(run.status < 2 && run.errors.contains("Departments.xlsx holds csv; --format"), "\(run.summary)")
    }

    /// Without a file that has the name.
    @Test(arguments: ["export", "diagram", "lint", "freeze"])
    func aHyphenIsStandardOutput(command: String) throws {
        let words =
            command == "export" ? ["export", store, "--entity", "Department"] + models : [command, models[1]]
        let plain = try ferry(words)
        let run = try ferry(words + ["--output", "-"])
        #expect(run.status == plain.status && run.status < 2, "\(run.summary)")
        #expect(run.output == plain.output && !run.output.isEmpty)
        #expect(!FileSystem.exists(directory.file("-")))
    }

    /// What reads it gets nothing else.
    @Test func aMappingModelOnStandardOutputIsAlone() throws {
        let words = ["infer"] + models + ["--from", "Company", "--to", "Company 2", "--output"]
        let file = try ferry(words + ["Mapping.yaml"])
        let run = try ferry(words + ["-"])
        #expect(run.status == file.status && run.status < 2, "\(run.summary)")
        #expect(try String(contentsOfFile: directory.file("Mapping.yaml"), encoding: .utf8) == run.output)
        #expect(run.errors.contains(file.output.trimmingCharacters(in: .newlines)), "\(run.summary)")
        let converted = try ferry(["mapping", "convert", "Mapping.yaml", "--form", "yaml", "--output", "-"])
        #expect(converted.status == 0 && converted.output.hasPrefix("mapping: 1\n"), "\(converted.summary)")
        #expect(!FileSystem.exists(directory.file("-")))
    }

    @Test(arguments: ["migrate", "convert", "repair", "fixture", "mapping convert", "fleet plan"])
    func whatIsNoStreamIsRefused(command: String) throws {
        let words =
            switch command {
            case "repair": ["repair", store, "--fix", "order-keys"] + models
            case "fixture": ["fixture"] + models
            case "mapping convert": ["mapping", "convert", "Mapping.yaml", "--form", "xcmappingmodel"]
            case "fleet plan": ["fleet", "plan", "--operation", "migrate", store] + models
            default: [command, store] + models
            }
        let run = try ferry(words + ["--output", "-"])
        #expect(run.status == 64 && run.errors.contains("cannot go to standard output"), "\(run.summary)")
        #expect(!FileSystem.exists(directory.file("-")))
    }
}

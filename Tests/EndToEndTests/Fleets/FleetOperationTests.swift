import Foundation
import PersistentStores
import TestSupport
import Testing

/// A fleet makes of a store what the command of the operation's name makes of it.
@Suite struct FleetOperationTests {
    private static let models = Samples.models("Company")

    /// An operation, and the command that does the same for one store.
    struct Operation: Sendable, CustomTestStringConvertible {
        let name: String
        var plan: [String] = []
        var command: [String] = []
        /// What the product's name has in the place of the store's ending, or behind it.
        var ending = ""
        var replacesEnding = false
        var testDescription: String { name }
    }

    private static let operations = [
        Operation(name: "migrate"),
        Operation(
            name: "convert", plan: ["--to", "binary"], command: ["--to", "binary"], ending: ".binary",
            replacesEnding: true),
        Operation(name: "repair", plan: ["--fix", "dangling-reference"], command: ["--fix", "dangling-reference"]),
        Operation(name: "inspect", ending: ".json"),
        Operation(name: "export", plan: ["--format", "ndjson"], command: ["--all", "--format", "ndjson"]),
    ]

    /// The bytes of a file, or of the files in a folder and the folders in it, by their names.
    private func contents(_ path: String) throws -> [String: Data] {
        guard FileSystem.isDirectory(path) else { return ["": try Data(contentsOf: URL(fileURLWithPath: path))] }
        var files: [String: Data] = [:]
        for name in try FileSystem.names(in: path) {
            for (below, data) in try contents(path + "/" + name) { files[name + "/" + below] = data }
        }
        return files
    }

    @Test(.long, arguments: operations, ["sqlite", "xml"])
    func aFleetMakesWhatTheCommandMakes(operation: Operation, type: String) throws {
        let directory = try TemporaryDirectory()
        let original = try Samples.buildStore("Company", in: directory)
        let folder = directory.file("stores/1")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = folder + "/Company." + type
        let made = try ToolProcess.ferry(["convert", original, "--models", Self.models, "-o", store])
        #expect(made.status < 2, "\(made.summary)")
        let before = try contents(folder)
        let manifest = directory.file("fleet")
        let plan = try ToolProcess.ferry(
            ["fleet", "plan", "--operation", operation.name, "--models", Self.models, "-o", manifest, store]
                + ["--output-dir", directory.file("new")] + operation.plan)
        #expect(plan.status == 0, "\(plan.summary)")
        let run = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1"])
        #expect(run.status == 0 && run.output.contains("1 done, 0 failed"), "\(run.summary)")
        let stem = operation.replacesEnding ? String(store.dropLast(type.count + 1)) : store
        let product = directory.file("new") + stem + operation.ending
        if operation.name == "inspect" {
            let inspection = try ToolProcess.ferry(["inspect", store, "--models", Self.models, "--json"])
            #expect(try String(contentsOfFile: product, encoding: .utf8) == inspection.output)
        } else {
            let expected = directory.file("expected." + type)
            let command = try ToolProcess.ferry(
                [operation.name, store, "--models", Self.models, "-o", expected] + operation.command)
            #expect(command.status < 2, "\(command.summary)")
            let (found, wanted) = (try contents(product), try contents(expected))
            #expect(found.keys.sorted() == wanted.keys.sorted() && found == wanted)
        }
        #expect(try contents(folder) == before)
    }

    /// A run finds the mapping models as they were planned, whatever order their user info has in memory, and notices
    /// when they change.
    @Test func aRunComparesTheMappingModelsWithThoseOfThePlan() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let written = try ToolProcess.ferry([
            "infer", "--models", Self.models, "--from", "Company", "--to", "Company 2", "-o", "-",
        ])
        let info = (1...12).map { "      key\($0): value\($0)\n" }.joined()
        let mapping = written.output.replacing(
            "    attributes:\n", with: "    userInfo:\n\(info)    attributes:\n", maxReplacements: 1)
        #expect(mapping.contains("key12"))
        let path = directory.file("mapping.yaml")
        try mapping.write(toFile: path, atomically: true, encoding: .utf8)
        let manifest = directory.file("fleet")
        let plan = try ToolProcess.ferry(
            ["fleet", "plan", "--models", Self.models, "--mapping", path, "--to", "Company 2", "-o", manifest]
                + ["--output-dir", directory.file("new"), store])
        #expect(plan.status == 0, "\(plan.summary)")
        let run = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1"])
        #expect(run.status == 0 && run.output.contains("1 done, 0 failed"), "\(run.summary)")
        try mapping.replacing("value7", with: "other").write(toFile: path, atomically: true, encoding: .utf8)
        let changed = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1"])
        #expect(changed.errors.contains("have changed since the fleet was planned"), "\(changed.summary)")
    }

    @Test(arguments: [
        ["--operation", "verify", "--output-dir", "x"], ["--operation", "verify", "--backup", "x"],
        ["--operation", "convert", "--to", "xml"], ["--operation", "convert", "--output-dir", "x"],
        ["--operation", "convert", "--to", "cassette", "--output-dir", "x"], ["--operation", "export"],
        ["--operation", "repair"], ["--operation", "repair", "--fix", "nothing"],
        ["--operation", "inspect", "--to", "Company 2"], ["--operation", "migrate", "--version", "Company"],
        ["--operation", "migrate", "--fix", "dangling-reference"], ["--backup", "x", "--output-dir", "y"],
    ])
    func optionsThatAnOperationDoesNotHaveAreRefused(words: [String]) throws {
        let directory = try TemporaryDirectory()
        let plan = try ToolProcess.ferry(
            ["fleet", "plan", "--models", Self.models, "-o", directory.file("fleet"), directory.path] + words)
        #expect(plan.status == 64, "\(plan.summary)")
        #expect(!FileSystem.isThere(directory.file("fleet")))
    }

    @Test(arguments: [
        ["--max-failures", "1%"], ["--store", "cp {} x"], ["--staging", "/tmp"], ["--canary", "101%"],
        ["--canary", "x"], ["--fetch", "cp"],
    ])
    func optionsOfARunThatMeanNothingAreRefused(words: [String]) throws {
        let run = try ToolProcess.ferry(["fleet", "run", "/nowhere", "--shard", "1/1"] + words)
        #expect(run.status == 64, "\(run.summary)")
    }
}

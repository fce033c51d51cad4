import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Drafts of mappings, printed by the tool and run as they stand.
@Suite struct DraftMappingTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func draft(_ sources: [String], _ more: [String]) throws -> String {
        let run = try ToolProcess.ferry(["import"] + sources + more + ["--draft-mapping"])
        try #require(run.status == 0, "\(run.summary)")
        #expect(run.errors.isEmpty)
        return try directory.write(run.output, to: "draft.yaml")
    }

    @Test func aDraftOfTheProjectsFileRuns() throws {
        let source = "\(Samples.path)/Company/import/projects.csv"
        let models = ["--models", Samples.models("Company")]
        let mapping = try draft([source], models)
        let store = directory.file("Company.sqlite")
        let run = try ToolProcess.ferry(
            ["import", source, "--store", store, "--mapping", mapping, "--progress", "none"] + models)
        // Whoever leads a project is not in the store, and that is said.
        #expect(run.signal == nil)
        #expect(run.errors.isEmpty, "\(run.errors)")
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        let lines = try String(contentsOfFile: source, encoding: .utf8).split(separator: "\n").count - 1
        #expect(try connection.value("SELECT count(*) FROM ZPROJECT").integer == Int64(lines))
    }

    @Test func aDraftNamesItsEntityWhereTheUserDoes() throws {
        let source = try directory.write("code,title\nA,Apollo\n", to: "export.csv")
        let mapping = try draft([source], ["--models", Samples.models("Company"), "--entity", "Project"])
        #expect(try String(contentsOfFile: mapping, encoding: .utf8).contains("\nentity: Project\n"))
    }

    @Test func standardInputIsDraftedToo() throws {
        let script =
            "printf 'code,title\\nA,Apollo\\n' | \"$0\" import - --models \"$1\" --entity Project --draft-mapping"
        let run = try ToolProcess.run(
            "/bin/bash", ["-c", script, ToolProcess.ferry, Samples.models("Company")], in: directory.path)
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("entity: Project"))
        #expect(!run.output.contains("files:"))
    }

    @Test(arguments: [
        (["--mapping", "m.yaml"], "--mapping"), (["--store", "s.sqlite"], "--store"), (["--key", "a"], "--key"),
    ])
    func aDraftMakesNothingElse(_ words: [String], _ option: String) throws {
        let run = try ToolProcess.ferry(["import", "a.csv", "--models", "m", "--draft-mapping"] + words)
        #expect(run.status == 64)
        #expect(run.errors.contains(option))
    }

    @Test func whatCannotBeDraftedIsSaid() throws {
        let source = try directory.write("p,q\n1,2\n", to: "export.csv")
        let words = ["import", source, "--models", Samples.models("Company"), "--draft-mapping"]
        let unmatched = try ToolProcess.ferry(words)
        #expect(unmatched.status == 2)
        #expect(unmatched.output.isEmpty)
        #expect(unmatched.errors.contains("name one with --entity"))
        #expect(unmatched.errors.contains("export.csv"))
        let abstract = try ToolProcess.ferry(words + ["--entity", "Person"])
        #expect(abstract.status == 2)
        #expect(abstract.errors.contains("\"Person\" is abstract"))
        let missing = try ToolProcess.ferry([
            "import", "none.csv", "--models", Samples.models("Company"), "--draft-mapping",
        ])
        #expect(missing.status == 2)
        #expect(missing.errors.contains("none.csv"))
    }
}

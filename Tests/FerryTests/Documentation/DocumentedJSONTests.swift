import Foundation
import TestSupport
import Testing

/// The keys of the JSON documents are those that docs/scripting.md lists.
@Suite struct DocumentedJSONTests {
    private static let company = Samples.models("Company")

    /// Each command's document, by the words that the table begins its row with.
    private static let documents: [[String]] = [
        ["inspect", "STORE", "--models", company],
        ["inspect", company],
        ["diff", "--models", company, "--from", "Company"],
        ["infer", "--models", company, "--from", "Company"],
        ["hashes", company],
        ["hashes", "STORE"],
        ["verify", "STORE", "--models", company],
        ["compile", company, "--output", "FOLDER/C.momd"],
        ["decompile", company, "--output", "FOLDER/C.xcdatamodeld"],
        [
            "fixture", "--models", "\(Samples.path)/Ledger", "--all-versions", "--rows", "3", "--output",
            "FOLDER/stores",
        ],
        ["migrate", "STORE", "--models", company, "--dry-run"],
        ["migrate", "STORE", "--models", company],
        [
            "import", "\(Samples.path)/Company/import/projects.csv", "--entity", "Project", "--models", company,
            "--store",
            "FOLDER/New.sqlite", "--progress", "none",
        ],
    ]

    @Test(.long, arguments: documents)
    func everyKeyIsDocumented(of words: [String]) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let run = try ToolProcess.ferry(
            words.map { $0 == "STORE" ? store : $0.replacing("FOLDER", with: directory.path) } + ["--json"])
        #expect(run.status == 0 || run.status == 1, "\(run.summary)")
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let documented = try Self.documentedKeys()
        #expect(keys(of: document).subtracting(documented) == [])
    }

    @Test func theReportIsTheDocumentThatIsPrinted() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let report = directory.file("report.json")
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Self.company, "--json", "--report", report])
        #expect(run.status == 0, "\(run.summary)")
        #expect(try String(contentsOfFile: report, encoding: .utf8) == run.output)
    }

    @Test func progressIsOneDocumentALine() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let run = try ToolProcess.ferry(["migrate", store, "--models", Self.company, "--progress", "json"])
        let lines = run.errors.split(separator: "\n")
        #expect(!lines.isEmpty)
        let documented = try Self.documentedKeys()
        for line in lines {
            #expect(keys(of: try JSONSerialization.jsonObject(with: Data(line.utf8))).subtracting(documented) == [])
        }
    }

    private static func documentedKeys() throws -> Set<String> {
        let section = try Documentation.page("scripting").text(of: "JSON")
        return Documentation.words(in: section, like: /[a-z][A-Za-z0-9]*/)
    }

    /// All keys at any depth; those of `stages` are names of stages.
    private func keys(of value: Any) -> Set<String> {
        if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(keys(of: $1)) } }
        guard let dictionary = value as? [String: Any] else { return [] }
        return dictionary.reduce(into: Set(dictionary.keys)) { result, entry in
            if entry.key != "stages" { result.formUnion(keys(of: entry.value)) }
        }
    }
}

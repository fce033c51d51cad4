import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// What comes through a pipe, and files that are not sources.
@Suite struct StandardInputTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func imported(_ bytes: String, from source: String = "-") throws -> ToolProcess.Result {
        try directory.write(bytes, to: "input")
        let script = "\"$0\" import \"$1\" --models \"$2\" --entity Project --store s.sqlite --progress none < input"
        return try ToolProcess.run(
            "/bin/bash", ["-c", script, ToolProcess.ferry, source, Samples.models("Company")], in: directory.path)
    }

    @Test(arguments: [
        "code,title\nA,Apollo\nB,Bison\n",
        "[{\"code\": \"A\", \"title\": \"Apollo\"}, {\"code\": \"B\", \"title\": \"Bison\"}]",
        "{\"code\": \"A\", \"title\": \"Apollo\"}\n{\"code\": \"B\", \"title\": \"Bison\"}\n",
        // More than what is looked at beforehand.
        "code,title\n" + String(repeating: "A,Apollo\n", count: 100) + "B,Bison\n",
    ])
    func isRecognisedByItsFirstBytes(_ text: String) throws {
        let run = try imported(text)
        #expect(run.status == 0, "\(run.summary)")
        let connection = try Connection(path: directory.file("s.sqlite"), access: .readOnly)
        defer { try? connection.close() }
        let codes = try connection.rows("SELECT DISTINCT ZCODE FROM ZPROJECT ORDER BY 1").map { $0[0].string }
        #expect(codes == ["A", "B"])
    }

    @Test(arguments: [
        ("<list><item/></list>", "looks like XML"), ("", "is empty"), ("PK\u{3}\u{4}", "a zip archive"),
    ])
    func whatIsNoSourceIsSaid(_ text: String, _ words: String) throws {
        let run = try imported(text)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("s.sqlite")))
    }

    @Test func aMappingThatFillsNothingIsRefused() throws {
        let source = try directory.write("p,q\n1,2\n", to: "a.csv")
        let mapping = try directory.write("import: 1\nfiles: a.csv\nentity: Project\n", to: "m.yaml")
        let run = try ToolProcess.ferry([
            "import", source, "--models", Samples.models("Company"), "--mapping", mapping, "--store",
            directory.file("s.sqlite"),
        ])
        #expect(run.status == 2)
        #expect(run.errors.contains("nothing of a record would become part of the object"), "\(run.errors)")
    }
}

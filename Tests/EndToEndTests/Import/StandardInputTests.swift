import Foundation
import KeyedArchives
import SQLiteAccess
import TestSupport
import Testing

/// What comes through a pipe, and files that are not sources.
@Suite struct StandardInputTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func imported(_ text: String, from source: String = "-") throws -> ToolProcess.Result {
        try imported(Array(text.utf8), from: source)
    }

    private func imported(_ bytes: [UInt8], from source: String = "-") throws -> ToolProcess.Result {
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

    @Test(arguments: [false, true])
    func isAPropertyList(isBinary: Bool) throws {
        let list: PropertyListValue = [["code": "A", "title": "Apollo"], ["code": "B", "title": "Bison"]]
        let run = try imported(
            isBinary
                ? BinaryPropertyListWriter.bytes(for: list) : Array(try XMLPropertyListWriter.text(for: list).utf8))
        #expect(run.status == 0, "\(run.summary)")
        let connection = try Connection(path: directory.file("s.sqlite"), access: .readOnly)
        defer { try? connection.close() }
        #expect(
            try connection.rows("SELECT ZCODE, ZTITLE FROM ZPROJECT ORDER BY 1")
                == [[.string("A"), .string("Apollo")], [.string("B"), .string("Bison")]])
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

    // MARK: Pipes with names

    /// Imports what a shell's `<(...)` gives, in more bytes than are looked at beforehand.
    @Test(arguments: ["csv", "ndjson", "xml", "csv.gz"])
    func pipesOfTheShellAreReadOnce(_ format: String) throws {
        let count = 60_000
        let lines = (1...count).map { number in
            switch format {
            case "ndjson": "{\"code\": \"C\(number)\", \"title\": \"Title of \(number)\"}"
            case "xml": "<p code='C\(number)'><title>Title of \(number)</title></p>"
            default: "C\(number),Title of \(number)"
            }
        }
        let head = ["csv": "code,title\n", "csv.gz": "code,title\n", "xml": "<list>\n"][format] ?? ""
        try directory.write(
            head + lines.joined(separator: "\n") + (format == "xml" ? "</list>" : "\n"), to: "input")
        let mapping =
            format == "xml"
            ? "format: xml\nrecords: //p\nentity: Project\nattributes: {code: '@code', title: title}"
            : "entity: Project\nattributes: {code: code, title: title}"
        try directory.write("import: 1\n" + mapping + "\n", to: "m.yaml")
        let read = format == "csv.gz" ? "gzip -c input" : "cat input"
        let script =
            "\"$0\" import <(\(read)) --models \"$1\" --mapping m.yaml --store s.sqlite --progress none"
        let run = try ToolProcess.run(
            "/bin/bash", ["-c", script, ToolProcess.ferry, Samples.models("Company")], in: directory.path)
        #expect(run.status == 0, "\(run.summary)")
        let connection = try Connection(path: directory.file("s.sqlite"), access: .readOnly)
        defer { try? connection.close() }
        let found = try connection.rows(
            "SELECT count(*), count(DISTINCT ZCODE), sum('Title of ' || substr(ZCODE, 2) = ZTITLE) FROM ZPROJECT")
        #expect(found[0].map(\.integer) == [Int64(count), Int64(count), Int64(count)])
    }

    @Test func aPipeThatIsNamedTwiceIsRefused() throws {
        let script = """
            mkfifo pipe; (printf 'code,title\\nA,Apollo\\n' > pipe) & writer=$!
            "$0" import pipe pipe --models "$1" --entity Project --store s.sqlite --progress none; status=$?
            kill $writer; exit $status
            """
        let run = try ToolProcess.run(
            "/bin/bash", ["-c", script, ToolProcess.ferry, Samples.models("Company")], in: directory.path)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains("read once only"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("s.sqlite")))
    }

    /// Standard input and a pipe that say nothing, or no more: the first signal ends the import.
    @Test(arguments: ["-", "pipe"], ["", "code,title\\nA,Apollo\\n"])
    func aSignalEndsTheWaitForMore(_ source: String, _ start: String) throws {
        let script = """
            mkfifo pipe; (printf '\(start)'; exec sleep 30) > pipe & writer=$!
            timeout --kill-after=20 1 "$0" import \(source) --models "$1" --entity Project --store s.sqlite < pipe
            status=$?; kill $writer; exit $status
            """
        let begin = Date()
        let run = try ToolProcess.run(
            "/bin/bash", ["-c", script, ToolProcess.ferry, Samples.models("Company")], in: directory.path)
        // 124: the signal of timeout has ended it, not the one that cannot be caught.
        #expect(run.status == 124, "\(run.summary)")
        #expect(Date().timeIntervalSince(begin) < 15)
        #expect(try directory.names() == ["pipe"])
    }

    /// What was committed before the wait stays, and the message says so.
    @Test func aSignalAfterCommittedBatchesSaysThatTheyStay() throws {
        try directory.write("code,title\nA,Apollo\nB,Bison\nC,Comet\n", to: "a.csv")
        let script = """
            mkfifo pipe; (printf '{"code": "D", "title": "Dune"}\\n'; exec sleep 30) > pipe & writer=$!
            timeout --kill-after=20 2 "$0" import a.csv pipe --models "$1" --entity Project --store s.sqlite --commit batch --batch-rows 1
            status=$?; kill $writer; exit $status
            """
        let run = try ToolProcess.run(
            "/bin/bash", ["-c", script, ToolProcess.ferry, Samples.models("Company")], in: directory.path)
        #expect(run.status == 124, "\(run.summary)")
        #expect(run.errors.contains("the batches that were committed stay"), "\(run.errors)")
        let connection = try Connection(path: directory.file("s.sqlite"), access: .readOnly)
        defer { try? connection.close() }
        #expect(try connection.value("SELECT count(*) FROM ZPROJECT").integer == 3)
    }
}

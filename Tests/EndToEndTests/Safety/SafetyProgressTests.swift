import Foundation
import TestSupport
import Testing

/// What goes where: results to standard output, progress and messages to standard error.
@Suite struct SafetyProgressTests {
    private struct Line: Decodable {
        let stage: String
        let rows: Int
        let memory: Int
    }

    private func run(_ mode: String?, _ more: [String] = []) throws -> ToolProcess.Result {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "store")
        let run = try ToolProcess.ferry(
            ["migrate", store] + words.dropLast(2) + (mode.map { ["--progress", $0] } ?? []) + more)
        #expect(run.status == 0, "\(run.summary)")
        #expect(!run.output.contains("\u{1B}"))
        return run
    }

    @Test func jsonIsOneDocumentInEachLine() throws {
        let run = try run("json", ["--json"])
        let lines = try run.errors.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.first?.stage == "transferring")
        #expect(lines.last?.stage == "done")
        #expect(lines.allSatisfy { $0.memory > 0 })
        #expect(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) is [String: Any])
    }

    /// Programs that read progress get lines of all commands that read stores.
    @Test(arguments: ["fetch", "inspect", "hashes", "fleet"])
    func commandsThatReadSayThatTheyGoOn(command: String) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let models = ["--models", Samples.models("Company")]
        func stages(_ words: [String], status: Int32 = 0) throws -> [String] {
            let run = try ToolProcess.ferry(words + ["--progress", "json"], in: directory.path)
            #expect(run.status == status, "\(run.summary)")
            return try run.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8)).stage
            }
        }
        switch command {
        case "fetch": #expect(try stages(["fetch", store, "--entity", "Project"] + models) == ["fetching"])
        case "inspect": #expect(try stages(["inspect", store] + models) == ["reading"])
        case "hashes":
            let source = try directory.write(
                "import SwiftData\n@Model final class Note { var text: String = \"\" }\n", to: "Note.swift")
            // The store is of another model.
            #expect(try stages(["hashes", "--fit", store, source], status: 2) == ["fitting"])
        default:
            // The last line has the stores that were counted.
            let plan = ["fleet", "plan", "--operation", "inspect", store, "--output", "fleet", "--output-dir", "out"]
            #expect(try stages(plan + models).last == "planning")
            #expect(try stages(["fleet", "run", "fleet", "--shard", "1/1"]) == ["running", "running"])
            #expect(try stages(["fleet", "status", "fleet"]) == ["reading"])
            #expect(try stages(["fleet", "report", "fleet"]) == ["reading"])
        }
    }

    @Test func noneSaysNothing() throws {
        #expect(try run("none").errors.isEmpty)
    }

    /// A file is not a terminal.
    @Test(arguments: ["auto", "plain", nil])
    func linesGoToAFile(mode: String?) throws {
        let run = try run(mode)
        #expect(run.errors.hasPrefix("transferring"))
        #expect(run.errors.hasSuffix("\n"))
        #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\r"))
    }

    @Test func aBarIsWipedAwayInTheEnd() throws {
        let run = try run("bar")
        #expect(run.errors.hasPrefix("\r\u{1B}[K"))
        #expect(run.errors.hasSuffix("\r\u{1B}[K"))
        #expect(!run.errors.contains("\n"))
    }

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs a command with standard error on a terminal of some width, and prints what that shows.
    private static let script = """
        import fcntl, os, pty, struct, sys, termios
        shown, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
        child = os.fork()
        if child == 0:
            os.dup2(end, 2)
            os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
            os.execv(sys.argv[2], sys.argv[2:])
        os.close(end)
        while True:
            try:
                part = os.read(shown, 65536)
            except OSError:
                break
            if not part:
                break
            sys.stdout.buffer.write(part)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """

    @Test(
        .long, .enabled(if: python != nil, "Python is not on this machine"), arguments: ["auto", "bar", "plain"],
        [25, 40, 200])
    func aTerminalShowsOneLineThatFits(mode: String, width: Int) throws {
        let (folder, words) = try SafetyStore(content: .company, journal: .rollback).make()
        let store = try folder.copy(named: "store")
        let script = try folder.directory.write(Self.script, to: "terminal.py")
        let run = try ToolProcess.run(
            Self.python ?? "",
            [script, String(width), ToolProcess.ferry, "migrate", store] + words.dropLast(2) + ["--progress", mode])
        #expect(run.status == 0, "\(run.summary)")
        guard mode != "plain" else {
            #expect(run.output.contains("\n") && !run.output.contains("\u{1B}"))
            return
        }
        #expect(!run.output.contains("\n"))
        let shown = run.output.components(separatedBy: "\r\u{1B}[K").filter { !$0.isEmpty }
        #expect(shown.count > 2)
        #expect(shown.allSatisfy { $0.count < width })
        #expect(run.output.hasSuffix("\r\u{1B}[K"))
    }
}

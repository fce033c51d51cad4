import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// What a shell script prints.
    private func output(_ script: String, environment: [String: String]? = nil, in folder: String? = nil) throws
        -> String
    {
        let path = try directory.write("", to: "output")
        let file = try #require(FileHandle(forWritingAtPath: path))
        let process = try ChildProcess(
            ["sh", "-c", script], environment: environment, in: folder, output: .descriptor(file.fileDescriptor))
        #expect(process.wait() == .exited(status: 0))
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func theProgramIsFoundInThePathAndGetsItsArguments() throws {
        #expect(try output("printf '%s|' \"$0\" a 'b c'") == "sh|a|b c|")
        let process = try ChildProcess(["sh", "-c", "exit $1", "sh", "7"])
        #expect(process.wait() == .exited(status: 7) && process.ending == .exited(status: 7) && !process.isRunning)
    }

    @Test func theEnvironmentIsTheOneThatIsGiven() throws {
        #expect(try output("echo $A$HOME", environment: ["A": "x", "PATH": "/usr/bin:/bin"]) == "x\n")
        #expect(try output("echo $PATH") == (ProcessInfo.processInfo.environment["PATH"] ?? "") + "\n")
    }

    @Test func theFolderIsTheOneThatIsGiven() throws {
        #expect(try output("pwd -P", in: "/usr") == "/usr\n")
    }

    /// Files that this process has open are not those of the program.
    @Test func onlyTheStandardStreamsAreOpen() throws {
        let files = (0..<20).map { _ in dup(0) }
        defer { files.forEach { close($0) } }
        let path = try directory.write("in", to: "input")
        let input = try #require(FileHandle(forReadingAtPath: path))
        let listing = try directory.write("", to: "listing")
        let output = try #require(FileHandle(forWritingAtPath: listing))
        let process = try ChildProcess(
            ["sh", "-c", "cat; for f in /proc/$$/fd/*; do echo ${f##*/}; done"],
            input: .descriptor(input.fileDescriptor), output: .descriptor(output.fileDescriptor))
        #expect(process.wait() == .exited(status: 0))
        let numbers = try String(contentsOfFile: listing, encoding: .utf8).dropFirst(2).split(separator: "\n")
        // The shell itself opens one for the listing.
        #expect(numbers.starts(with: ["0", "1", "2"]) && numbers.count <= 4, "\(numbers)")
    }

    /// More open files than `Foundation.Process` stands.
    @Test func manyOpenFilesAreNoTrouble() throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(7), &limit) == 0)
        let count = Int(min(limit.rlim_cur, 4096)) - 300
        let files = (0..<max(0, count)).map { _ in dup(0) }.filter { $0 >= 0 }
        defer { files.forEach { close($0) } }
        #expect(try output("echo a") == "a\n")
    }

    @Test func aSignalEndsIt() throws {
        let process = try ChildProcess(["sleep", "60"])
        #expect(process.isRunning && process.ending == nil && !process.wait(milliseconds: 20))
        process.send(SIGTERM)
        #expect(process.wait(milliseconds: 10_000) && process.ending == .killed(signal: SIGTERM))
        let other = try ChildProcess(["sleep", "60"])
        other.kill()
        #expect(other.ending == .killed(signal: SIGKILL))
    }

    /// A signal that this process ignores is not ignored by the program.
    @Test func blockedAndIgnoredSignalsAreNotPassedOn() throws {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in [SIGINT, SIGUSR1] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let lines = try output("exec grep -E 'SigIgn|SigBlk' /proc/self/status").split(separator: "\n")
        let masks = lines.compactMap { UInt64($0.suffix(16), radix: 16) }
        let ends = [SIGINT, SIGTERM, SIGPIPE].reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
        #expect(masks.count == 2 && masks[0] == 0 && masks[1] & ends == 0, "\(lines)")
    }

    @Test func noProcessIsLeftBehind() throws {
        var process: ChildProcess? = try ChildProcess(["sleep", "60"])
        let identifier = try #require(process?.identifier)
        process = nil
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
    }

    @Test(arguments: [["/nowhere/tool"], ["no-such-tool-anywhere"], ["/"], [""], []])
    func whatCannotBeStartedSaysSo(words: [String]) throws {
        let error = try #require(throws: ChildProcessError.self) { _ = try ChildProcess(words) }
        #expect(error.program == words.first ?? "")
        #expect("\(error)".contains("cannot be started: "))
    }

    @Test func aFolderThatIsNotThereIsAnError() throws {
        let error = try #require(throws: ChildProcessError.self) {
            _ = try ChildProcess(["true"], in: directory.file("missing"))
        }
        #expect(error.number == ENOENT)
    }
}

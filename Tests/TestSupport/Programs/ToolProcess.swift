import Dispatch
import ChildProcesses
import Foundation

/// A run of an executable, as a user would start it; what it prints goes to files, so that nothing waits for a reader.
public final class ToolProcess {
    /// How a run ended.
    public struct Result: Sendable {
        /// The exit status; 0 if a signal ended the run.
        public let status: Int32

        /// The signal that ended the run.
        public let signal: Int32?

        public let output: String
        public let errors: String

        /// Whether an import took up everything: the only warnings are of paths that no record has, as in files whose
        /// records leave out what is NULL.
        public var isComplete: Bool {
            let warnings = (output + errors).split(separator: "\n").filter { $0.contains("warning: ") }
            return status == (warnings.isEmpty ? 0 : 1)
                && warnings.allSatisfy { $0.contains(": no record has the path ") }
        }

        /// All that a failing test has to show.
        public var summary: String {
            "status \(status)" + (signal.map { ", signal \($0)" } ?? "") + "\n" + output + errors
        }
    }

    /// The tool of the project.
    public static let ferry = TestSettings.tools + "/ferry"

    /// Two at a time are enough for two cores; more only use memory and make the times of the tests odd.
    private static let places = DispatchSemaphore(value: 2)

    private let process: ChildProcess
    private let directory: TemporaryDirectory
    private var hasPlace: Bool

    /// Starts an executable; the words are its arguments.
    ///
    /// - Parameters:
    ///   - environment: variables beside those of this process.
    ///   - folder: the working directory.
    ///   - waitsForPlace: false for a process that runs beside another one of the same test.
    public init(
        _ executable: String, _ words: [String], environment: [String: String] = [:], in folder: String? = nil,
        waitsForPlace: Bool = false
    ) throws {
        // Tests that wait for a place hold no open files.
        if waitsForPlace { Self.places.wait() }
        do {
            directory = try TemporaryDirectory()
            process = try ChildProcess(
                executable, words, environment: environment, in: folder,
                output: Self.file(directory.write("", to: "output")),
                errors: Self.file(directory.write("", to: "errors")))
        } catch {
            if waitsForPlace { Self.places.signal() }
            throw error
        }
        hasPlace = waitsForPlace
    }

    deinit {
        if process.isRunning { process.kill() }
        leavePlace()
    }

    /// Starts an executable and waits for its end.
    public static func run(
        _ executable: String, _ words: [String], environment: [String: String] = [:], in folder: String? = nil
    ) throws -> Result {
        try ToolProcess(executable, words, environment: environment, in: folder, waitsForPlace: true).wait()
    }

    /// Runs the project's tool.
    public static func ferry(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil
    ) throws -> Result {
        try run(ferry, words, environment: environment, in: folder)
    }

    /// Runs the project's tool as a user who may only do what the permissions allow: root may do anything.
    public static func ferryWithoutPrivileges(_ words: [String], in folder: String? = nil) throws -> Result {
        guard getuid() == 0, let copies = SharedCopies.shared else { return try ferry(words, in: folder) }
        // What the test made is where it is to be; what belongs to the project may be out of that user's reach.
        let words = try words.map { $0.hasPrefix(Samples.path + "/") ? try copies.path(of: $0) : $0 }
        return try runWithoutPrivileges([copies.path(of: ferry)] + words, in: folder)
    }

    private static func runWithoutPrivileges(_ command: [String], in folder: String? = nil) throws -> Result {
        try run(
            "/usr/bin/env", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command, in: folder)
    }

    /// Whether `ferryWithoutPrivileges` works here: the libraries of the tool and the folder of temporary files must be
    /// readable for everybody.
    public static let canDropPrivileges: Bool = {
        guard (try? ferryWithoutPrivileges(["--version"]))?.status == 0 else { return false }
        guard getuid() == 0, let directory = try? TemporaryDirectory() else { return true }
        return (try? runWithoutPrivileges(["ls", directory.path]))?.status == 0
    }()

    /// Sends a signal.
    public func send(_ signal: Int32) {
        process.send(signal)
    }

    public var isRunning: Bool { process.isRunning }

    /// Whether the process has a file open.
    public func hasOpen(_ path: String) -> Bool { openFiles.contains(path) }

    /// Whether the process has a file open whose name ends so.
    public func hasOpen(endingWith ending: String) -> Bool { openFiles.contains { $0.hasSuffix(ending) } }

    private var openFiles: [String] {
        let folder = "/proc/\(process.identifier)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
    }

    /// What the process has written to standard error so far.
    public var errorsSoFar: String { text("errors") }

    /// What the process has printed so far.
    public var outputSoFar: String { text("output") }

    /// Waits until the process ends or a time has passed; for tests that interrupt it.
    public func wait(atMost limit: Duration) {
        wait(atMost: limit) { false }
    }

    /// Waits until the process ends, a condition holds, or a time has passed. Returns whether the condition held.
    @discardableResult
    public func wait(atMost limit: Duration = .seconds(60), until isReached: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + limit
        while process.isRunning, ContinuousClock.now < end {
            if try isReached() { return true }
            usleep(500)
        }
        return try isReached()
    }

    public func wait() -> Result {
        let ending = process.wait()
        leavePlace()
        let (output, errors) = (text("output"), text("errors"))
        switch ending {
        case .exited(let status): return Result(status: status, signal: nil, output: output, errors: errors)
        case .killed(let signal): return Result(status: 0, signal: signal, output: output, errors: errors)
        }
    }

    private func leavePlace() {
        if hasPlace { Self.places.signal() }
        hasPlace = false
    }

    private func text(_ name: String) -> String {
        let bytes = FileManager.default.contents(atPath: directory.file(name)) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func file(_ path: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
}

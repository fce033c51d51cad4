internal import CSpawn
public import Foundation

/// A program that a test has started.
///
/// `Foundation.Process` is not used: it may notice the end of a program only after 50 ms, which thousands of short runs
/// add up to minutes, and it crashes in a process with more than about 1 350 open files.
public final class ChildProcess {
    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        case exited(status: Int32)
        case killed(signal: Int32)
    }

    /// The number that the system gave to the process.
    public let identifier: Int32
    private var ending: Ending?

    /// Starts a program. It has no open files but its standard streams; those that are nil are `/dev/null`.
    ///
    /// - Parameters:
    ///   - executable: its absolute path.
    ///   - environment: variables beside those of this process.
    ///   - folder: the working directory; nil for that of this process.
    public init(
        _ executable: String, _ words: [String], environment: [String: String] = [:], in folder: String? = nil,
        input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, file) in [input, output, errors].enumerated() {
            if let file {
                posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, Int32(stream))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(stream), "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        identifier = try Self.start([executable] + words, variables, actions)
    }

    private static func start(
        _ words: [String], _ variables: [String], _ actions: posix_spawn_file_actions_t
    ) throws -> pid_t {
        // What this process ignores or blocks is not the program's business.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var (identifier, actions) = (pid_t(0), actions)
        let failure = posix_spawn(&identifier, words[0], &actions, &attributes, arguments, environment)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
        return identifier
    }

    deinit {
        if isRunning { kill() }
    }

    /// Whether the program has not ended yet.
    public var isRunning: Bool { noticeEnd(WNOHANG) == nil }

    /// Waits until the program ends.
    @discardableResult
    public func wait() -> Ending {
        while true {
            if let ending = noticeEnd(0) { return ending }
        }
    }

    public func send(_ signal: Int32) {
        // The number of a program that has been waited for may be that of another one.
        if ending == nil { Foundation.kill(identifier, signal) }
    }

    /// Ends the program where it stands, and waits for it.
    public func kill() {
        send(SIGKILL)
        wait()
    }

    private func noticeEnd(_ options: Int32) -> Ending? {
        var status: Int32 = 0
        if ending == nil, waitpid(identifier, &status, options) == identifier {
            let signal = status & 0x7f
            ending = signal == 0 ? .exited(status: (status >> 8) & 0xff) : .killed(signal: signal)
        }
        return ending
    }
}

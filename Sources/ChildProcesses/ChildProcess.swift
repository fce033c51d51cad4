internal import CSpawn
public import Glibc

/// A program started by this process.
///
/// `Foundation.Process` is not used: it may notice the end of a program only after 50 ms, and it crashes in a process
/// with more than about 1 350 open files.
public final class ChildProcess {
    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        /// It exited with a status from 0 to 255.
        case exited(status: Int32)
        /// It was killed by a signal, given by its number.
        case killed(signal: Int32)
    }

    /// The target of a standard stream of a program.
    public enum Stream: Sendable {
        /// `/dev/null`: reading returns no data, and written data is discarded.
        case null
        /// The same stream of this process.
        case inherited
        /// An open file of this process.
        case descriptor(Int32)
    }

    /// The process ID.
    public let identifier: Int32
    /// How the program ended; nil until that has been noticed.
    public private(set) var ending: Ending?
    /// The resources that the program used, once its end has been noticed.
    public private(set) var resources = rusage()

    /// Starts a program. It inherits no open files except its standard streams, and neither blocks nor ignores signals.
    ///
    /// - Parameters:
    ///   - words: the program, which is searched for in `PATH` if it contains no slash, and its arguments.
    ///   - environment: all variables of the program; nil for those of this process.
    ///   - folder: the working directory; nil for that of this process.
    ///   - input: its standard input.
    ///   - output: its standard output.
    ///   - errors: its standard error.
    /// - Throws: `ChildProcessError` if the system cannot start the program, for example because the program or folder
    ///   does not exist.
    public init(
        _ words: [String], environment: [String: String]? = nil, in folder: String? = nil, input: Stream = .null,
        output: Stream = .null, errors: Stream = .null
    ) throws(ChildProcessError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [input, output, errors].enumerated() {
            switch stream {
            case .null: posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            case .inherited: posix_spawn_file_actions_adddup2(&actions, Int32(number), Int32(number))
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that this process ignores or blocks must not affect the program.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = Self.strings(words)
        let variables = environment.map { Self.strings($0.map { "\($0)=\($1)" }) }
        defer { (arguments + (variables ?? [])).forEach { free($0) } }
        var number = pid_t(0)
        let program = words.first ?? ""
        let failure =
            if let variables {
                posix_spawnp(&number, program, &actions, &attributes, arguments, variables)
            } else {
                posix_spawnp(&number, program, &actions, &attributes, arguments, environ)
            }
        guard failure == 0 else { throw ChildProcessError(program: program, number: failure) }
        identifier = number
    }

    /// Kills the program if it still runs, so that no process is left behind.
    deinit {
        if isRunning { kill() }
    }

    /// Whether the program is still running.
    public var isRunning: Bool { !noticeEnd(WNOHANG) }

    /// Waits until the program ends.
    @discardableResult
    public func wait() -> Ending {
        while true {
            if noticeEnd(0), let ending { return ending }
        }
    }

    /// Waits until the program ends, or a time has passed.
    ///
    /// - Returns: whether it has ended.
    public func wait(milliseconds limit: Int) -> Bool {
        for _ in 0...max(0, limit) / 10 {
            if noticeEnd(WNOHANG) { return true }
            usleep(10_000)
        }
        return noticeEnd(WNOHANG)
    }

    /// Sends a signal, given by its number, to the program if it is still running.
    public func send(_ signal: Int32) {
        // The ID of a program that has been waited for may have been reused.
        if ending == nil { Glibc.kill(identifier, signal) }
    }

    /// Kills the program, and waits for it.
    public func kill() {
        send(SIGKILL)
        wait()
    }

    /// Returns whether the program has ended.
    private func noticeEnd(_ options: Int32) -> Bool {
        guard ending == nil else { return true }
        var status: Int32 = 0
        let number = wait4(identifier, &status, options, &resources)
        if number == identifier {
            let signal = status & 0x7f
            ending = signal == 0 ? .exited(status: (status >> 8) & 0xff) : .killed(signal: signal)
        } else if number < 0, errno == ECHILD {
            // Other code has waited for it, so its status is unknown.
            ending = .exited(status: 0)
        }
        return ending != nil
    }

    /// Returns a list of C strings that ends with NULL; the caller frees them.
    private static func strings(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
        words.map { strdup($0) } + [nil]
    }
}

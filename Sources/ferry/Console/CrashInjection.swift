import FoundationEssentials
import Glibc
import Synchronization

/// Kills the process at a given checkpoint, so that tests can see what a crash there leaves.
///
/// Only where `FERRY_TEST_KILL_AT` says so: a number counts checkpoints from 1; `FERRY_TEST_CHECKPOINTS` names a file
/// that gets their names.
enum CrashInjection {
    private static let count = Atomic(0)

    static let checkpoint: (@Sendable (String) -> Void)? = {
        let environment = ProcessInfo.processInfo.environment
        let killAt = environment["FERRY_TEST_KILL_AT"].flatMap(Int.init)
        let log = environment["FERRY_TEST_CHECKPOINTS"]
        guard killAt != nil || log != nil else { return nil }
        return { name in
            let number = count.add(1, ordering: .relaxed).newValue
            if let log { append("\(number) \(name)\n", to: log) }
            if number == killAt { kill(getpid(), SIGKILL) }
        }
    }()

    /// One line, in one piece, at the end of a file that is there.
    private static func append(_ line: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = Array(line.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}

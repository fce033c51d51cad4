import FoundationEssentials
import Glibc
import Synchronization

/// Kills the process at a given checkpoint, so that tests can examine the state that a crash leaves.
///
/// It only does so if `FERRY_TEST_KILL_AT` is set, to a number of checkpoints counted from 1. `FERRY_TEST_CHECKPOINTS`
/// names a file to which the names of the checkpoints are written.
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

    /// Appends a line to an existing file in a single write.
    private static func append(_ line: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = Array(line.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}

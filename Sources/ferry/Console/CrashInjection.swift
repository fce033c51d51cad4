import Foundation
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
            if let log, let handle = FileHandle(forUpdatingAtPath: log) {
                _ = try? handle.seekToEnd()
                try? handle.write(contentsOf: Data("\(number) \(name)\n".utf8))
            }
            if number == killAt { kill(getpid(), SIGKILL) }
        }
    }()
}

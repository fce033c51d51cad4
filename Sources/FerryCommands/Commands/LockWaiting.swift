import CommandLineParsing
import PersistentStores

/// How long commands wait for the locks of other processes.
enum LockWaiting {
    /// The default in seconds.
    static let standard = Int(LockTimeout.milliseconds / 1000)
    /// One day, which SQLite still accepts in milliseconds.
    private static let longest = 86_400

    /// Does work that waits up to a number of seconds for locks.
    static func wait<Result>(_ seconds: Int, _ work: () throws -> Result) rethrows -> Result {
        try LockTimeout.$milliseconds.withValue(milliseconds(seconds), operation: work)
    }

    static func milliseconds(_ seconds: Int) -> Int32 { Int32(clamping: min(seconds, longest) * 1000) }

    fileprivate static let seconds = 0...longest
}

extension Flag where Options: OptionTable {
    /// Returns the option for the time; its command must work within `LockWaiting.wait`.
    static func timeout(_ path: Path<Int>) -> Self {
        .value(
            "timeout", path, within: LockWaiting.seconds, placeholder: "SECONDS",
            "How long to wait for locks of other processes.")
    }
}

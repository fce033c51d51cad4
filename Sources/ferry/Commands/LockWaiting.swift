import CommandLineParsing
import PersistentStores

/// How long commands wait for the locks of other processes.
enum LockWaiting {
    /// In seconds.
    static let standard = Int(LockTimeout.milliseconds / 1000)
    /// A day; in milliseconds it still fits what SQLite takes.
    private static let longest = 86_400

    /// Runs work that waits so many seconds.
    static func wait<Result>(_ seconds: Int, _ work: () throws -> Result) rethrows -> Result {
        try LockTimeout.$milliseconds.withValue(milliseconds(seconds), operation: work)
    }

    static func milliseconds(_ seconds: Int) -> Int32 { Int32(clamping: min(seconds, longest) * 1000) }

    fileprivate static let seconds = 0...longest
}

extension Flag where Options: OptionTable {
    /// The option that says how long; its command works within `LockWaiting.wait`.
    static func timeout(_ path: Path<Int>) -> Self {
        .value(
            "timeout", path, within: LockWaiting.seconds, placeholder: "SECONDS",
            "How long to wait for locks of other processes.")
    }
}

import PersistentStores

/// How long commands wait for the locks of other processes.
enum LockPatience {
    /// In seconds.
    static let standard = Int(LockTimeout.milliseconds / 1000)

    /// Runs work that waits so many seconds.
    static func wait<Result>(_ seconds: Int, _ work: () throws -> Result) rethrows -> Result {
        try LockTimeout.$milliseconds.withValue(Int32(clamping: seconds * 1000), operation: work)
    }
}

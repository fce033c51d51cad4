/// The time that operations on a store wait for locks of other processes, unless given for one store.
///
///     try LockTimeout.$milliseconds.withValue(30_000) { try SQLiteStore(path: path) }
///
/// The value applies to calls from the closure, on its thread and in its tasks. Threads that a migration or an import
/// starts use connections that were opened before, and wait equally long; a thread of your own has to set the value
/// again.
public enum LockTimeout {
    /// Two seconds, in milliseconds: a save of an app takes less, and it is short enough that the tool does not seem to
    /// hang.
    @TaskLocal public static var milliseconds: Int32 = 2000
}

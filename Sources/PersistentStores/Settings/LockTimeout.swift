/// How long work on a store waits for the locks of other processes, where no one says it for one store.
///
///     try LockTimeout.$milliseconds.withValue(30_000) { try SQLiteStore(path: path) }
///
/// It holds for what the closure calls, on its thread and in its tasks. Threads that a migration or an import starts
/// work on connections that were opened before, and wait as long; a thread of your own has to say it again.
public enum LockTimeout {
    /// Two seconds: a save of an app takes less, and no one wonders whether the tool hangs.
    @TaskLocal public static var milliseconds: Int32 = 2000
}

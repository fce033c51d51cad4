import PersistentStores

/// How the rows of a ledger are written to the device.
enum LedgerJournal: String, Sendable {
    /// One synchronization per row. Processes that read the ledger meanwhile share memory with the run.
    case log = "WAL"
    /// Several synchronizations per row, for file systems that several machines share.
    case rollback = "TRUNCATE"

    private static let mounts = "/proc/self/mountinfo"

    /// Returns the journal for an existing file; if its file system is unknown, the one that works everywhere.
    @Sendable static func fitting(_ path: String) -> LedgerJournal {
        FileSystem.exists(mounts) && FileSystem.exists(path) && FileSystem.networkFileSystem(path) == nil
            ? .log : .rollback
    }
}

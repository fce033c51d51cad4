import PersistentStores

/// How the rows of a ledger get to the device.
enum LedgerJournal: String, Sendable {
    /// One wait for the device for a row. Whoever reads the ledger meanwhile shares memory with the run.
    case log = "WAL"
    /// Several, on file systems that machines share.
    case rollback = "TRUNCATE"

    private static let mounts = "/proc/self/mountinfo"

    /// The one for a file that is there; where no one knows what it is on, the one that is right everywhere.
    @Sendable static func fitting(_ path: String) -> LedgerJournal {
        FileSystem.exists(mounts) && FileSystem.exists(path) && FileSystem.networkFileSystem(path) == nil
            ? .log : .rollback
    }
}

/// A setting of a SQLite store, under SQLite's name; only safe settings, with values that SQLite knows.
public enum StorePragma: String, Sendable, Hashable, CaseIterable {
    /// Whether the file releases pages that are no longer used.
    case autoVacuum = "auto_vacuum"
    /// The journal mode: a rollback journal or a write-ahead log.
    case journalMode = "journal_mode"
    /// The page size in bytes.
    case pageSize = "page_size"
    // The next three apply to a connection: a new store is always synchronized before it gets its name. They are
    // included since they occur in the lists of options that apps give to Core Data.
    /// How much is synchronized to the device, and when.
    case synchronous
    /// Whether macOS is asked to flush the device's own cache.
    case fullfsync
    /// The same as `fullfsync`, at checkpoints of the write-ahead log.
    case checkpointFullfsync = "checkpoint_fullfsync"

    /// The allowed values, in lower case.
    public var values: [String] {
        switch self {
        case .autoVacuum: ["none", "full", "incremental", "0", "1", "2"]
        // Without a journal, or with one in memory, a crash damages the store.
        case .journalMode: ["delete", "truncate", "persist", "wal"]
        case .pageSize: ["512", "1024", "2048", "4096", "8192", "16384", "32768", "65536"]
        case .synchronous: ["off", "normal", "full", "extra", "0", "1", "2", "3"]
        case .fullfsync, .checkpointFullfsync: ["0", "1", "off", "on", "false", "true", "no", "yes"]
        }
    }

    /// Returns whether the setting may have a value; case is ignored.
    public func accepts(_ value: String) -> Bool { values.contains(value.lowercased()) }

    /// Returns the number that SQLite returns for a value of the setting; nil if the value is a word that SQLite
    /// returns as such.
    public func number(of value: String) -> Int64? {
        switch (self, value) {
        case (.autoVacuum, "none"): 0
        case (.autoVacuum, "full"): 1
        case (.autoVacuum, "incremental"): 2
        default: Int64(value)
        }
    }

    /// Whether each database of a connection has its own value.
    var isOfEachDatabase: Bool { self == .synchronous }
}

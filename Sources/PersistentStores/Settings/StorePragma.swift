/// A setting of a SQLite store, by SQLite's name for it; only those that are safe, and values that SQLite knows.
public enum StorePragma: String, Sendable, Hashable, CaseIterable {
    /// Whether the file gives pages back that are not used any more.
    case autoVacuum = "auto_vacuum"
    /// Whether a transaction uses a rollback journal or a write-ahead log.
    case journalMode = "journal_mode"
    /// The size of a page in bytes.
    case pageSize = "page_size"
    // These three hold for a connection: a new store is always synchronized before it gets its name. Lists of options
    // that apps give to Core Data have them.
    /// How much is synchronized with the device, and when.
    case synchronous
    /// Whether macOS is asked to write through the device's own cache.
    case fullfsync
    /// The same at checkpoints of the write-ahead log.
    case checkpointFullfsync = "checkpoint_fullfsync"

    /// The values that it may have, in lower case.
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

    /// Whether the setting may have a value, in either case.
    public func accepts(_ value: String) -> Bool { values.contains(value.lowercased()) }

    /// What SQLite answers where a setting that it answers with a number has the value; nil if the value is a word that
    /// no number stands for.
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

/// When a transaction acquires its locks.
public enum TransactionKind: String, Sendable {
    /// The transaction acquires its locks at the first read or write.
    case deferred = "DEFERRED"
    /// The transaction acquires the write lock immediately, so that a busy database is detected before any work is
    /// done.
    case immediate = "IMMEDIATE"
    /// Like immediate; in rollback mode readers are excluded, too.
    case exclusive = "EXCLUSIVE"
}

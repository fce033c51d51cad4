/// When a transaction takes its locks.
public enum TransactionKind: String, Sendable {
    /// The transaction takes its locks at the first read or write.
    case deferred = "DEFERRED"
    /// The write lock at once: a busy database shows before any work is done.
    case immediate = "IMMEDIATE"
    /// As immediate; in rollback mode readers are locked out too.
    case exclusive = "EXCLUSIVE"
}

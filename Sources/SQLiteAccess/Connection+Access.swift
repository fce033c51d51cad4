extension Connection {
    /// What a connection may do with a database file.
    public enum Access: Sendable {
        /// Never writes a byte: neither to the file nor beside it (see `ReadOnlyRoute` for how).
        case readOnly
        /// Reads and writes a file that exists.
        case readWrite
        /// Reads and writes; an absent file is made.
        case create
        /// The same for a file that no one else opens for writing, on a file system that may have no locks.
        case createWithoutLocks

        /// The query part of the `file:` URI.
        var parameters: [String] {
            switch self {
            case .readOnly: ["mode=ro"]
            case .readWrite: ["mode=rw"]
            case .create: ["mode=rwc"]
            case .createWithoutLocks: ["mode=rwc", "nolock=1"]
            }
        }
    }
}

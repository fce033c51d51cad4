extension Connection {
    /// The access of a connection to a database file.
    public enum Access: Sendable {
        /// Reading only: nothing is written, neither to the file nor beside it (see `ReadOnlyRoute` for the method).
        case readOnly
        /// Reading and writing an existing file.
        case readWrite
        /// Reading and writing; a missing file is created.
        case create
        /// The same for a file that no other process opens for writing, on a file system that may have no locks.
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

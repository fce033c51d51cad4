extension Connection {
    /// What a connection may do with a database file.
    public enum Access: Sendable {
        /// Never writes a byte: neither to the file nor beside it (see `ReadOnlyRoute` for how).
        case readOnly
        /// Reads and writes a file that exists.
        case readWrite
        /// Reads and writes; an absent file is made.
        case create

        /// The query part of the `file:` URI.
        var parameters: [String] {
            switch self {
            case .readOnly: ["mode=ro"]
            case .readWrite: ["mode=rw"]
            case .create: ["mode=rwc"]
            }
        }
    }
}

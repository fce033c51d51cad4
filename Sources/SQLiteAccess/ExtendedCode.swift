internal import CSQLite

/// The extended result codes that this layer names: macros of C, computed from others, which Swift does not import.
enum ExtendedCode {
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let failedWrite = SQLITE_IOERR | 3 << 8
    static let failedAccess = SQLITE_IOERR | 13 << 8
    static let failedLock = SQLITE_IOERR | 15 << 8
    static let directory = SQLITE_CANTOPEN | 2 << 8
}

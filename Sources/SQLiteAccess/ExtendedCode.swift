internal import CSQLite

/// The extended result codes that are used here: C macros computed from others, which Swift does not import.
enum ExtendedCode {
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let failedWrite = SQLITE_IOERR | 3 << 8
    static let failedAccess = SQLITE_IOERR | 13 << 8
    static let failedIndex = SQLITE_IOERR | 21 << 8
    /// Failures of locking, and of the shared memory of a write-ahead log.
    static let lockFaults: Set<Int32> = [
        SQLITE_IOERR | 8 << 8, SQLITE_IOERR | 9 << 8, SQLITE_IOERR | 14 << 8, SQLITE_IOERR | 15 << 8,
        SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8, SQLITE_IOERR | 20 << 8, SQLITE_IOERR | 21 << 8,
    ]
    static let directory = SQLITE_CANTOPEN | 2 << 8
    /// A `-shm` mapped for reading that no writer has open: its content is meaningless.
    static let indexWithoutWriter = SQLITE_READONLY | 5 << 8
    /// The errors of a reader if a log or a journal changes in a way that only a writer can handle: recovery, a lock, a
    /// rollback, or a file that was replaced.
    static let readerLeftBehind: Set<Int32> = [
        SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 2 << 8, SQLITE_READONLY | 3 << 8, SQLITE_READONLY | 4 << 8,
        indexWithoutWriter,
    ]
}

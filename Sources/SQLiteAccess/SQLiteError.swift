internal import CSQLite
internal import Glibc

/// An error of SQLite: its code, its message, and its context. Equal if the codes are equal.
public struct SQLiteError: Error, Sendable {
    /// The extended result code; `primaryCode` is its low byte.
    public let code: Int32
    /// SQLite's message, or one of this library if it found the error itself.
    public let message: String
    /// The complete statement that failed; nil if something else failed.
    public let sql: String?
    /// The database file of the connection, as given by the caller; nil if unknown.
    public let path: String?

    /// The system's error number (errno) if a system call failed; otherwise 0.
    public let systemNumber: Int32

    /// Makes an error from SQLite's result code, with its context if known.
    public init(code: Int32, message: String, sql: String? = nil, path: String? = nil, systemNumber: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.path = path
        self.systemNumber = systemNumber
    }

    /// Returns the error of a cancelled operation.
    public static func interrupted(path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", path: path)
    }

    /// Returns the error of a damaged database.
    public static func malformed(_ message: String, path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CORRUPT, message: message, path: path)
    }

    /// The result code without its extension, `SQLITE_BUSY` for `SQLITE_BUSY_SNAPSHOT`.
    public var primaryCode: Int32 { code & 0xff }

    /// Another connection holds a lock (including `SQLITE_LOCKED`, the same within a process): try again later.
    public var isBusy: Bool {
        (primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED) && systemNumber != ENOLCK
    }
    /// The disk or a quota is full, or the database has reached its size limit.
    public var isFull: Bool { primaryCode == SQLITE_FULL || systemNumber == ENOSPC || systemNumber == EDQUOT }
    /// A file has reached the maximum size that the system allows this process.
    public var isFileSizeLimit: Bool { systemNumber == EFBIG }
    /// The file is a database, but damaged.
    public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }
    /// The database, or the connection to it, cannot be written.
    public var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
    /// The log or the journal changed while a read-only connection used it: try again.
    public var isReaderLeftBehind: Bool { ExtendedCode.readerLeftBehind.contains(code) }
    /// The file is not a database, or is encrypted.
    public var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
    /// A progress handler interrupted the operation.
    public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
    /// The system failed to read, write, lock or synchronize a file.
    public var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
    /// The file system does not support locks, or shared memory, as SQLite requires; this applies to some network file
    /// systems.
    public var isLockFault: Bool {
        ExtendedCode.lockFaults.contains(code) || [SQLITE_PROTOCOL, SQLITE_NOLFS, SQLITE_PERM].contains(primaryCode)
            || systemNumber == ENOLCK
    }
    /// A NOT NULL, UNIQUE, CHECK or foreign key constraint was violated.
    public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
    /// The file is missing, is a directory, or may not be opened.
    public var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
}

extension SQLiteError: Equatable {
    public static func == (first: SQLiteError, second: SQLiteError) -> Bool {
        first.code == second.code
    }
}

extension SQLiteError: CustomStringConvertible {
    /// One line: the message, the code, the file, and the beginning of the statement.
    public var description: String {
        let reason = systemNumber == 0 ? "" : ": " + SystemFile.explanation(systemNumber)
        var text = "\(Self.shown(message, limit: 300))\(reason) (SQLite error \(code))"
        if let path { text += " in \(Self.shown(path, limit: 1024))" }
        if let sql { text += ", statement: \(Self.shown(sql, limit: 200))" }
        return text
    }

    /// Returns a text for a message: truncated, and with spaces instead of control characters, since messages quote
    /// names from the file, and statements can be megabytes.
    private static func shown(_ text: String, limit: Int) -> String {
        var result = String.UnicodeScalarView()
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if offset == limit { return String(result) + "..." }
            result.append(scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) ? " " : scalar)
        }
        return String(result)
    }
}

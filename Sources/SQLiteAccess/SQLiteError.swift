internal import CSQLite
internal import Glibc

/// What SQLite reported: its code, its words, and where it happened. Equal by code.
public struct SQLiteError: Error, Sendable {
    /// The extended result code; `primaryCode` is its low byte.
    public let code: Int32
    /// SQLite's own words, or those of this layer where it found the fault itself.
    public let message: String
    /// The statement that failed, whole; nil if something else failed.
    public let sql: String?
    /// The database file of the connection, as the caller named it; nil if it is not known.
    public let path: String?

    /// The system's error number (errno) where a call of the system failed; 0 elsewhere.
    public let systemNumber: Int32

    /// Makes an error of SQLite's result code, and of where it happened as far as that is known.
    public init(code: Int32, message: String, sql: String? = nil, path: String? = nil, systemNumber: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.path = path
        self.systemNumber = systemNumber
    }

    /// The error of work that was asked to end.
    public static func interrupted(path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted", path: path)
    }

    /// The error of a database that is damaged.
    public static func malformed(_ message: String, path: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CORRUPT, message: message, path: path)
    }

    /// The result code without its extension, `SQLITE_BUSY` for `SQLITE_BUSY_SNAPSHOT`.
    public var primaryCode: Int32 { code & 0xff }

    /// Another connection holds a lock (also `SQLITE_LOCKED`, the same within a process): try again later.
    public var isBusy: Bool {
        (primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED) && systemNumber != ENOLCK
    }
    /// The disk, a quota, or the database's size limit, is full.
    public var isFull: Bool { primaryCode == SQLITE_FULL || systemNumber == ENOSPC || systemNumber == EDQUOT }
    /// A file reached the size that the system lets this process make it.
    public var isFileSizeLimit: Bool { systemNumber == EFBIG }
    /// The file is a database, and is damaged.
    public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }
    /// The database, or the connection to it, takes no changes.
    public var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
    /// The log or the journal changed under a connection that only reads: try again.
    public var isReaderLeftBehind: Bool { ExtendedCode.readerLeftBehind.contains(code) }
    /// The file is something else than a database (or an encrypted one).
    public var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
    /// A progress handler asked for the end.
    public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
    /// The system failed to read, write, lock or synchronize a file.
    public var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
    /// The file system does not lock files, or share memory, as SQLite needs it: some of the network do not.
    public var isLockFault: Bool {
        ExtendedCode.lockFaults.contains(code) || [SQLITE_PROTOCOL, SQLITE_NOLFS, SQLITE_PERM].contains(primaryCode)
            || systemNumber == ENOLCK
    }
    /// A NOT NULL, UNIQUE, CHECK or foreign key rule was broken.
    public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
    /// The file is missing, a directory, or not permitted.
    public var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
}

extension SQLiteError: Equatable {
    public static func == (first: SQLiteError, second: SQLiteError) -> Bool {
        first.code == second.code
    }
}

extension SQLiteError: CustomStringConvertible {
    /// One line: what, the code, the file, and the beginning of the statement.
    public var description: String {
        let reason = systemNumber == 0 ? "" : ": " + SystemFile.explanation(systemNumber)
        var text = "\(Self.shown(message, limit: 300))\(reason) (SQLite error \(code))"
        if let path { text += " in \(Self.shown(path, limit: 1024))" }
        if let sql { text += ", statement: \(Self.shown(sql, limit: 200))" }
        return text
    }

    /// Messages quote names from the file, and statements can be megabytes: cut, and control characters as spaces.
    private static func shown(_ text: String, limit: Int) -> String {
        var result = String.UnicodeScalarView()
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if offset == limit { return String(result) + "..." }
            result.append(scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) ? " " : scalar)
        }
        return String(result)
    }
}

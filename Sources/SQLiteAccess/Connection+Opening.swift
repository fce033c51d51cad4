internal import CSQLite
internal import Glibc

extension Connection {
    /// Opens a URI and applies the settings of all connections; reads nothing yet.
    static func opened(
        _ uri: String, of path: String, _ milliseconds: Int32
    ) throws(SQLiteError) -> OpaquePointer {
        var candidate: OpaquePointer?
        // The URI's mode limits this file; the flags limit files that may be attached later, and forbid nothing.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(uri, &candidate, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe candidate else {
            defer { unsafe sqlite3_close_v2(candidate) }
            let extended = unsafe candidate == nil ? code : sqlite3_extended_errcode(candidate)
            throw unsafe failure(extended, candidate, sql: nil, path: path)
        }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe LockWait.install(on: handle, milliseconds: milliseconds)
        unsafe installCancellation(on: handle)
        unsafe StatementTrace.install(on: handle, of: path)
        unsafe csqlite_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nil)
        unsafe csqlite_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nil)
        unsafe csqlite_set_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0, nil)
        return unsafe handle
    }

    /// Reads the header page, so that errors of the file are reported on opening.
    static func readHeader(_ handle: OpaquePointer, schema: String, path: String) throws(SQLiteError) {
        let question = "PRAGMA \(SQLiteIdentifier.quoted(schema)).schema_version"
        let code = unsafe sqlite3_exec(handle, question, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe failure(code, handle, sql: nil, path: path) }
    }

    static func failure(_ code: Int32, _ handle: OpaquePointer?, sql: String?, path: String) -> SQLiteError {
        let lockRefusal = SystemFile.lockRefusal(code)
        var message: String?
        if let handle = unsafe handle, unsafe sqlite3_errcode(handle) & 0xff == code & 0xff,
            let words = unsafe sqlite3_errmsg(handle)
        {
            message = unsafe String(cString: words)
        } else if let words = unsafe sqlite3_errstr(code) {
            message = unsafe String(cString: words)
        }
        // For other codes it would be the number of an earlier failure.
        let isSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
        var number = unsafe handle.map { isSystem ? unsafe sqlite3_system_errno($0) : lockRefusal } ?? 0
        // By then the number is often that of a later call; a full disk has a code of its own.
        if code == ExtendedCode.failedWrite, SystemFile.hasSizeLimit { number = EFBIG }
        return SQLiteError(
            code: code, message: message ?? "unknown error", sql: sql, path: path, systemNumber: number)
    }
}

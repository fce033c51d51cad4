internal import CSQLite

extension Connection {
    /// The number of rows that the last INSERT, UPDATE or DELETE changed, without those of triggers.
    public var changes: Int64 { unsafe handle.map { unsafe sqlite3_changes64($0) } ?? 0 }

    /// The number of rows that were changed since the connection was opened, including those of triggers.
    public var totalChanges: Int64 { unsafe handle.map { unsafe sqlite3_total_changes64($0) } ?? 0 }

    /// The row identifier of the last row inserted; 0 before the first.
    public var lastInsertRowID: Int64 { unsafe handle.map { unsafe sqlite3_last_insert_rowid($0) } ?? 0 }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the main database cannot be written through this connection.
    public var isReadOnly: Bool { unsafe handle.map { unsafe sqlite3_db_readonly($0, "main") != 0 } ?? true }

    /// Whether the path of the main database's file now leads to another file, or to none; true for an in-memory
    /// database.
    public var hasMoved: Bool {
        guard let open = unsafe handle, let name = unsafe sqlite3_db_filename(open, "main"), unsafe name.pointee != 0
        else { return true }
        var moved: Int32 = 0
        let code = unsafe withUnsafeMutablePointer(to: &moved) {
            unsafe sqlite3_file_control(open, "main", SQLITE_FCNTL_HAS_MOVED, $0)
        }
        return code != SQLITE_OK || moved != 0
    }

    /// Sets whether operations are forbidden that can damage the file: `writable_schema`, `journal_mode=OFF`, shadow
    /// tables. On by default.
    public func setDefensive(_ enabled: Bool) {
        set(SQLITE_DBCONFIG_DEFENSIVE, enabled)
    }

    /// Sets whether views and triggers may call the application's functions, and unknown names in double quotes are
    /// texts. Apps' connections work this way; off by default.
    public func setLenientSchema(_ enabled: Bool) {
        set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, enabled)
        set(SQLITE_DBCONFIG_DQS_DML, enabled)
    }

    /// Sets whether the schema's triggers run; on by default.
    public func setTriggersEnabled(_ enabled: Bool) {
        set(SQLITE_DBCONFIG_ENABLE_TRIGGER, enabled)
    }

    /// Sets whether the last connection to a WAL database checkpoints and deletes the log when it closes; on by
    /// default.
    public func setCheckpointOnClose(_ enabled: Bool) {
        set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !enabled)
    }

    /// Sets how long a statement waits for the locks of other connections; with 0, it fails immediately.
    public func setBusyTimeout(milliseconds: Int32) {
        busyTimeout = milliseconds
        if let open = unsafe handle { unsafe LockWait.install(on: open, milliseconds: milliseconds) }
    }

    /// Returns the current limit for a `SQLITE_LIMIT_` category.
    public func limit(_ which: Int32) -> Int32 {
        unsafe handle.map { unsafe sqlite3_limit($0, which, -1) } ?? 0
    }

    /// The maximum number of columns in a table or a result.
    public var maximumColumnCount: Int { Int(limit(SQLITE_LIMIT_COLUMN)) }

    /// The highest parameter number of a statement.
    public var maximumVariableCount: Int { Int(limit(SQLITE_LIMIT_VARIABLE_NUMBER)) }

    /// The maximum size of a text, a blob or a row, in bytes.
    public var maximumValueLength: Int { Int(limit(SQLITE_LIMIT_LENGTH)) }

    private func set(_ option: Int32, _ enabled: Bool) {
        if let open = unsafe handle { unsafe csqlite_set_flag(open, option, enabled ? 1 : 0, nil) }
    }
}

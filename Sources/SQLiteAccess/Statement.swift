public import CSQLite

/// A compiled statement; it keeps its connection open and is finalized with its last reference.
@safe
public final class Statement {
    @usableFromInline
    let handle: OpaquePointer

    /// The connection of the statement.
    public let connection: Connection

    init(handle: OpaquePointer, connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Advances to the next row; returns false if there is none. After that, call `reset()` before binding again.
    ///
    /// Borrowed bytes of the previous row become invalid. A failed statement is reset.
    /// - Throws: `SQLiteError` if the statement fails, is interrupted, or has to wait longer for a lock than the
    ///   connection waits.
    @inlinable
    public func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        try fail(code)
    }

    /// Runs to the end, ignoring rows, and resets the statement for the next bindings.
    /// - Throws: `SQLiteError` if the statement fails, is interrupted, or has to wait longer for a lock than the
    ///   connection waits.
    @inlinable
    public func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Resets the statement to before its first row; keeps the bindings.
    @inlinable
    public func reset() {
        _ = unsafe sqlite3_reset(handle)
    }

    /// Sets all parameters to NULL.
    @inlinable
    public func clearBindings() {
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Whether the statement cannot change the database file.
    public var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    /// The text of the statement as it was given.
    public var sql: String { unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? "" }

    /// The text with the bound values instead of parameters; nil if that is too long.
    public var expandedSQL: String? {
        guard let text = unsafe sqlite3_expanded_sql(handle) else { return nil }
        defer { unsafe sqlite3_free(text) }
        return unsafe String(cString: text)
    }

    /// Throws an error; out of line, so that the callers stay small enough to be inlined.
    @usableFromInline
    @inline(never)
    func fail(_ code: Int32) throws(SQLiteError) -> Never {
        let failure = connection.failure(code, sql: sql)
        unsafe sqlite3_reset(handle)
        throw failure
    }
}

@available(*, unavailable)
extension Statement: Sendable {}

public import CSQLite

/// A compiled statement; it keeps its connection open and is finalized with its last reference.
@safe
public final class Statement {
    @usableFromInline
    let handle: OpaquePointer

    /// The connection that compiled it.
    public let connection: Connection

    init(handle: OpaquePointer, connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Goes to the next row; false when there is none. After false, `reset()` before binding again.
    ///
    /// Makes every borrowed byte of the row before invalid. A failed statement is reset.
    /// - Throws: `SQLiteError` if the statement fails, is interrupted, or has to wait longer for a lock than the
    ///   connection waits.
    @inlinable
    public func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        try fail(code)
    }

    /// Runs to the end, ignores rows, and resets: ready for the next bindings.
    /// - Throws: `SQLiteError` if the statement fails, is interrupted, or has to wait longer for a lock than the
    ///   connection waits.
    @inlinable
    public func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Back before the first row; bindings stay.
    @inlinable
    public func reset() {
        _ = unsafe sqlite3_reset(handle)
    }

    /// All parameters to NULL.
    @inlinable
    public func clearBindings() {
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Whether the statement cannot change the database file.
    public var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    /// The text of the statement as it was given.
    public var sql: String { unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? "" }

    /// The text with the bound values in place of parameters; nil if that is too long.
    public var expandedSQL: String? {
        guard let text = unsafe sqlite3_expanded_sql(handle) else { return nil }
        defer { unsafe sqlite3_free(text) }
        return unsafe String(cString: text)
    }

    /// Out of line: the callers stay small enough to be inlined.
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

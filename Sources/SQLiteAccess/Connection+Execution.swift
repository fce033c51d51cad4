internal import CSQLite

extension Connection {
    /// Runs a script of any number of statements; rows are ignored.
    /// - Throws: `SQLiteError` for the first statement that fails, and for a NUL in the text; the statements before it
    ///   have been executed.
    public func execute(_ sql: String) throws(SQLiteError) {
        var rest = try refusingNUL(sql)[...]
        while let (statement, remaining) = try compiled(rest, of: sql, persistent: false) {
            rest = remaining
            while try statement.step() {}
        }
    }

    /// Runs one statement with values for its parameters; rows are ignored.
    /// - Throws: `SQLiteError` if the statement does not compile or fails, and for values that do not match its
    ///   parameters.
    public func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
        let statement = try prepare(sql)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Compiles one statement.
    /// - Parameters:
    ///   - sql: the statement.
    ///   - persistent: whether the statement lives long and runs often (`SQLITE_PREPARE_PERSISTENT`).
    /// - Throws: `SQLiteError` with SQLite's error; also if the text has no statement, several, or a NUL.
    public func prepare(_ sql: String, persistent: Bool = false) throws(SQLiteError) -> Statement {
        let bytes = try refusingNUL(sql)
        guard let (statement, rest) = try compiled(bytes[...], of: sql, persistent: persistent) else {
            throw SQLiteError(code: SQLITE_ERROR, message: "the text holds no statement", sql: sql, path: path)
        }
        if !rest.allSatisfy(Self.separators.contains), try compiled(rest, of: sql, persistent: false) != nil {
            throw SQLiteError(code: SQLITE_ERROR, message: "the text holds several statements", sql: sql, path: path)
        }
        return statement
    }

    /// Returns all rows of a query, for small results: every value is copied.
    /// - Throws: `SQLiteError` if the statement does not compile or fails, and for values that do not fit its
    ///   parameters.
    public func rows(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        try statement.bind(values)
        var rows: [[SQLiteValue]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.value($0) })
        }
        return rows
    }

    /// Returns the first column of the first row; `.null` if there is none.
    /// - Throws: `SQLiteError` if the statement does not compile or fails, and for values that do not fit its
    ///   parameters.
    public func value(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> SQLiteValue {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.value(0) : .null
    }

    private static let separators: [UInt8] = Array(" \t\r\n;".utf8)

    /// Returns the bytes of a text; throws if it contains a NUL, at which SQLite would silently stop reading.
    private func refusingNUL(_ sql: String) throws(SQLiteError) -> [UInt8] {
        let bytes = Array(sql.utf8)
        guard !bytes.contains(0) else {
            throw SQLiteError(code: SQLITE_ERROR, message: "the statement holds a NUL character", sql: sql, path: path)
        }
        return bytes
    }

    /// Returns the first statement of a text and the rest after it; nil if only spaces and comments are left.
    private func compiled(
        _ text: ArraySlice<UInt8>, of sql: String, persistent: Bool
    ) throws(SQLiteError) -> (statement: Statement, rest: ArraySlice<UInt8>)? {
        let connection = unsafe try open()
        var rest = text
        while !rest.isEmpty {
            var handle: OpaquePointer?
            var consumed = rest.count
            let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
            let code = unsafe rest.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                var tail: UnsafePointer<CChar>?
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                let code = unsafe sqlite3_prepare_v3(connection, start, count, flags, &handle, &tail)
                if let start = unsafe start, let tail = unsafe tail { consumed = unsafe tail - start }
                return code
            }
            guard code == SQLITE_OK else { throw failure(code, sql: sql) }
            rest = rest.dropFirst(consumed)
            if let handle = unsafe handle {
                return (unsafe Statement(handle: handle, connection: self), rest)
            }
            // A comment or a lone semicolon: continue, unless nothing was read.
            guard consumed > 0 else { return nil }
        }
        return nil
    }
}

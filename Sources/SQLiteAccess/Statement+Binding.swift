public import CSQLite

/// Parameters are numbered from 1. Values can be bound only before the first step, and after `reset()`.
extension Statement {
    /// The highest parameter number.
    @inlinable
    public var parameterCount: Int32 { unsafe sqlite3_bind_parameter_count(handle) }

    /// Returns the number of a named parameter (with its `:`, `@` or `$`); nil if there is none.
    public func parameterIndex(_ name: String) -> Int32? {
        let index = unsafe sqlite3_bind_parameter_index(handle, name)
        return index == 0 ? nil : index
    }

    /// Binds NULL.
    /// - Throws: `SQLiteError` if there is no such parameter, or the statement has begun.
    @inlinable
    public func bindNull(at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_null(handle, index))
    }

    /// Binds an integer.
    /// - Throws: `SQLiteError` if there is no such parameter, or the statement has begun.
    @inlinable
    public func bindInteger(_ value: Int64, at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a real; NaN becomes NULL, as always in SQLite.
    /// - Throws: `SQLiteError` if there is no such parameter, or the statement has begun.
    @inlinable
    public func bindReal(_ value: Double, at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_double(handle, index, value))
    }

    /// Binds text in UTF-8, borrowed: the bytes must stay where they are until the statement is done, reset or bound
    /// again.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        try check(unsafe csqlite_bind_text_borrowing(handle, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    /// Binds text in UTF-8, borrowed: the bytes must stay where they are until the statement is done, reset or bound
    /// again.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int32) throws(SQLiteError) {
        unsafe try bindText(UnsafeRawBufferPointer(bytes), at: index)
    }

    /// Binds text in UTF-8, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindText(copying bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        try check(unsafe csqlite_bind_text_copying(handle, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    /// Binds text in UTF-8, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindText(copying bytes: Span<UInt8>, at index: Int32) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeBytes {
            unsafe csqlite_bind_text_copying(handle, index, $0.baseAddress, UInt64($0.count))
        }
        try check(code)
    }

    /// Binds text in UTF-8, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindText(copying bytes: [UInt8], at index: Int32) throws(SQLiteError) {
        try bindText(copying: bytes.span, at: index)
    }

    /// Binds a text, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindText(_ string: String, at index: Int32) throws(SQLiteError) {
        try bindText(copying: string.utf8.span, at: index)
    }

    /// Binds a blob, borrowed: the bytes must stay where they are until the statement is done, reset or bound again.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        try check(unsafe csqlite_bind_blob_borrowing(handle, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    /// Binds a blob, borrowed: the bytes must stay where they are until the statement is done, reset or bound again.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindBlob(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int32) throws(SQLiteError) {
        unsafe try bindBlob(UnsafeRawBufferPointer(bytes), at: index)
    }

    /// Binds a blob, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindBlob(copying bytes: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
        try check(unsafe csqlite_bind_blob_copying(handle, index, bytes.baseAddress, UInt64(bytes.count)))
    }

    /// Binds a blob, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindBlob(copying bytes: Span<UInt8>, at index: Int32) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeBytes {
            unsafe csqlite_bind_blob_copying(handle, index, $0.baseAddress, UInt64($0.count))
        }
        try check(code)
    }

    /// Binds a blob, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindBlob(copying bytes: [UInt8], at index: Int32) throws(SQLiteError) {
        try bindBlob(copying: bytes.span, at: index)
    }

    /// Binds the value of another statement's row, in its storage class, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindColumn(_ column: Int32, of other: Statement, at index: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(other.handle, column)))
    }

    /// Binds the value of another statement's row, its bytes borrowed: the other must stay on its row until this one
    /// has finished.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    @inlinable
    public func bindColumn(borrowing column: Int32, of other: Statement, at index: Int32) throws(SQLiteError) {
        try other.withValue(column) { (value) throws(SQLiteError) in
            switch value.storageClass {
            case .null: try bindNull(at: index)
            case .integer: try bindInteger(value.integer, at: index)
            case .real: try bindReal(value.real, at: index)
            case .text:
                unsafe try value.withBytes(ofBlob: false) { (bytes) throws(SQLiteError) in
                    unsafe try bindText(bytes, at: index)
                }
            case .blob:
                unsafe try value.withBytes(ofBlob: true) { (bytes) throws(SQLiteError) in
                    unsafe try bindBlob(bytes, at: index)
                }
            }
        }
    }

    /// Binds a value, copied.
    /// - Throws: `SQLiteError` if there is no such parameter, the value is too large, or the statement has begun.
    public func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let value): try bindInteger(value, at: index)
        case .real(let value): try bindReal(value, at: index)
        case .text(let bytes): try bindText(copying: bytes, at: index)
        case .blob(let bytes): try bindBlob(copying: bytes, at: index)
        }
    }

    /// Binds the values of all parameters, in order.
    /// - Throws: `SQLiteError` "range" unless there are as many values as parameters.
    public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        guard values.count == Int(parameterCount) else {
            throw SQLiteError(
                code: SQLITE_RANGE, message: "\(values.count) values for \(parameterCount) parameters", sql: sql,
                path: connection.shownPath)
        }
        for (offset, value) in values.enumerated() {
            try bind(value, at: Int32(offset) + 1)
        }
    }

    @inlinable
    func check(_ code: Int32) throws(SQLiteError) {
        if code != SQLITE_OK { try fail(code) }
    }
}

public import CSQLite

/// The columns of the current row, numbered from 0. A column outside the row reads as NULL.
extension Statement {
    /// Columns of the result; 0 for statements that give no rows.
    @inlinable
    public var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

    /// The name that the result gives to a column; empty outside.
    public func columnName(_ column: Int32) -> String {
        unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }

    /// How the value is stored, asked before it is read: reading as another class converts it.
    @inlinable
    public func storageClass(_ column: Int32) -> StorageClass {
        unsafe StorageClass(rawValue: sqlite3_column_type(handle, column)) ?? .null
    }

    /// Whether the value is NULL.
    @inlinable
    public func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// The integer; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    /// The real; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public func real(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(handle, column)
    }

    /// The text, copied, with bad UTF-8 replaced; numbers as their text, NULL as the empty string.
    @inlinable
    public func string(_ column: Int32) -> String {
        unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text (UTF-8) or a blob, valid within the closure; numbers as their text, NULL as no bytes.
    ///
    /// Nothing is copied. The closure must not step or reset the statement.
    /// - Throws: what the closure throws.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The bytes of a blob are asked for as a blob: as text, those of a UTF-16 database would be converted.
        let start =
            unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB
            ? sqlite3_column_blob(handle, column) : UnsafeRawPointer(sqlite3_column_text(handle, column))
        let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        return unsafe try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls a closure with the bytes of a text (UTF-8) or a blob, with bounds that the compiler keeps.
    /// - Throws: what the closure throws.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try withBytes(column) { (bytes) throws(Failure) -> Result in
            unsafe try body(bytes.assumingMemoryBound(to: UInt8.self).span)
        }
    }

    /// The value, copied.
    public func value(_ column: Int32) -> SQLiteValue {
        switch storageClass(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(unsafe withBytes(column) { unsafe Array($0) })
        case .blob: .blob(unsafe withBytes(column) { unsafe Array($0) })
        }
    }
}

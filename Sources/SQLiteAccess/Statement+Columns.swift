public import CSQLite

/// The columns of the current row, numbered from 0. A column out of range reads as NULL.
extension Statement {
    /// The number of result columns; 0 for statements without rows.
    @inlinable
    public var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

    /// Returns the name of a result column; empty if out of range.
    public func columnName(_ column: Int32) -> String {
        unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }

    /// Returns the storage class of a value, which must be read before the value: reading it as another class converts
    /// it.
    @inlinable
    public func storageClass(_ column: Int32) -> StorageClass {
        unsafe StorageClass(rawValue: sqlite3_column_type(handle, column)) ?? .null
    }

    /// Returns whether the value is NULL.
    @inlinable
    public func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Returns the integer; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    /// Returns the real; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public func real(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(handle, column)
    }

    /// Returns the text, copied, with bad UTF-8 replaced; numbers as their text, NULL as the empty string.
    @inlinable
    public func string(_ column: Int32) -> String {
        unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the bytes of a text (UTF-8) or a blob, valid within the closure; numbers as their text, NULL as no
    /// bytes.
    ///
    /// Nothing is copied. The closure must not step or reset the statement.
    /// - Throws: any error of the closure.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A blob's bytes are read as a blob: as text, those in a UTF-16 database would be converted.
        let start =
            unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB
            ? sqlite3_column_blob(handle, column) : UnsafeRawPointer(sqlite3_column_text(handle, column))
        let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        return unsafe try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls a closure with the bytes of a text (UTF-8) or a blob, with bounds that the compiler checks.
    /// - Throws: any error of the closure.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try withBytes(column) { (bytes) throws(Failure) -> Result in
            unsafe try body(bytes.assumingMemoryBound(to: UInt8.self).span)
        }
    }

    /// Returns a copy of the value.
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

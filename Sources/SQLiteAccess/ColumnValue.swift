public import CSQLite

/// A value of a statement's row, looked up once, and borrowed for the duration of a closure.
///
/// The methods of `Statement` look up a column with each call, and check for out-of-memory errors.
@safe
public struct ColumnValue: ~Copyable {
    @usableFromInline
    let handle: OpaquePointer?

    @inlinable
    init(_ handle: OpaquePointer?) {
        unsafe self.handle = handle
    }

    /// The storage class, which must be read before the value: reading it as another class converts it.
    @inlinable
    public var storageClass: StorageClass {
        unsafe StorageClass(rawValue: sqlite3_value_type(handle)) ?? .null
    }

    /// The integer; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public var integer: Int64 { unsafe sqlite3_value_int64(handle) }

    /// The real; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public var real: Double { unsafe sqlite3_value_double(handle) }

    /// Returns the bytes of a text (UTF-8) or a blob, valid within the closure.
    @inlinable
    func withBytes<Result, Failure: Error>(
        ofBlob isBlob: Bool, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = unsafe isBlob ? sqlite3_value_blob(handle) : UnsafeRawPointer(sqlite3_value_text(handle))
        let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(handle))
        return unsafe try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls a closure with the bytes of a text (UTF-8) or a blob, with bounds that the compiler checks.
    /// - Throws: any error of the closure.
    @inlinable
    public func withSpan<Result, Failure: Error>(
        ofBlob isBlob: Bool, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try withBytes(ofBlob: isBlob) { (bytes) throws(Failure) -> Result in
            unsafe try body(bytes.assumingMemoryBound(to: UInt8.self).span)
        }
    }
}

extension ColumnValue {
    /// Calls a closure with the bytes of a text or a blob as a record stores them: those of a text in the encoding of
    /// the connection's databases.
    /// - Throws: any error of the closure.
    @inlinable
    public func withStoredBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Reading a text as a blob does not convert it.
        try withSpan(ofBlob: true, body)
    }
}

extension Statement {
    /// Calls a closure with a column's value, which must not be kept; the closure must not step the statement.
    /// - Throws: any error of the closure.
    @inlinable
    public func withValue<Result, Failure: Error>(
        _ column: Int32, _ body: (borrowing ColumnValue) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The value is unprotected, in SQLite's terms, which is safe on a connection that a single thread uses.
        unsafe try body(ColumnValue(sqlite3_column_value(handle, column)))
    }
}

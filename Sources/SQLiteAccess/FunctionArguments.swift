public import CSQLite

/// The arguments of one call of an SQL function, borrowed for that call. An index out of range reads as NULL.
@safe
public struct FunctionArguments: ~Copyable {
    @usableFromInline
    let values: UnsafeMutablePointer<OpaquePointer?>?

    /// The number of arguments.
    public let count: Int

    init(values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
        unsafe self.values = values
        self.count = count
    }

    @inlinable
    func argument(_ index: Int) -> OpaquePointer? {
        index >= 0 && index < count ? unsafe values?[index] : nil
    }

    /// Returns the storage class of an argument, which must be read before the value.
    @inlinable
    public func storageClass(_ index: Int) -> StorageClass {
        guard let value = unsafe argument(index) else { return .null }
        return unsafe StorageClass(rawValue: sqlite3_value_type(value)) ?? .null
    }

    /// Returns whether the argument is NULL.
    @inlinable
    public func isNull(_ index: Int) -> Bool {
        storageClass(index) == .null
    }

    /// Returns the integer; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public func integer(_ index: Int) -> Int64 {
        unsafe argument(index).map { unsafe sqlite3_value_int64($0) } ?? 0
    }

    /// Returns the real; other storage classes are converted as SQLite's CAST does.
    @inlinable
    public func real(_ index: Int) -> Double {
        unsafe argument(index).map { unsafe sqlite3_value_double($0) } ?? 0
    }

    /// Returns the bytes of a text (UTF-8) or a blob, valid within the closure; numbers as their text, NULL as no
    /// bytes.
    /// - Throws: any error of the closure.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let value = unsafe argument(index) else {
            return unsafe try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let start =
            unsafe sqlite3_value_type(value) == SQLITE_BLOB
            ? sqlite3_value_blob(value) : UnsafeRawPointer(sqlite3_value_text(value))
        let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return unsafe try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns the text, with bad UTF-8 replaced by U+FFFD; other storage classes as for `withBytes`.
    public func string(_ index: Int) -> String {
        unsafe withBytes(index) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a copy of the argument.
    public func value(_ index: Int) -> SQLiteValue {
        switch storageClass(index) {
        case .null: .null
        case .integer: .integer(integer(index))
        case .real: .real(real(index))
        case .text: .text(unsafe withBytes(index) { unsafe Array($0) })
        case .blob: .blob(unsafe withBytes(index) { unsafe Array($0) })
        }
    }
}

/// Computes a value from others of the same row, which are added one by one. Used by one thread at a time.
public protocol RecordFunction: AnyObject {
    /// Adds NULL.
    func addNull()
    /// Adds an integer.
    func add(_ value: Int64)
    /// Adds a real.
    func add(_ value: Double)
    /// Adds a text in UTF-8.
    func add(text: Span<UInt8>)
    /// Adds bytes without a text encoding.
    func add(blob: Span<UInt8>)

    /// Returns the result for the values that were added since the last call.
    /// - Throws: any error; a statement that calls the function fails with its description.
    func result() throws -> SQLiteValue
}

extension Connection {
    /// Registers a function for SQL; an error that it throws becomes the statement's error.
    /// - Throws: `SQLiteError` if the connection is closed, or SQLite refuses the name or the number of arguments.
    public func registerFunction(
        _ name: String, argumentCount: Int32, deterministic: Bool, _ function: any RecordFunction
    ) throws(SQLiteError) {
        try registerFunction(name, argumentCount: argumentCount, deterministic: deterministic) { arguments in
            for index in 0..<arguments.count { arguments.add(index, to: function) }
            return try function.result()
        }
    }
}

extension FunctionArguments {
    /// Adds an argument to the values of a function.
    public func add(_ index: Int, to function: any RecordFunction) {
        switch storageClass(index) {
        case .null: function.addNull()
        case .integer: function.add(integer(index))
        case .real: function.add(real(index))
        case .text:
            unsafe withBytes(index) { unsafe function.add(text: $0.assumingMemoryBound(to: UInt8.self).span) }
        case .blob:
            unsafe withBytes(index) { unsafe function.add(blob: $0.assumingMemoryBound(to: UInt8.self).span) }
        }
    }
}

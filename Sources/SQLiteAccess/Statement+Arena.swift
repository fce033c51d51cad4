/// Binding values whose bytes are in an arena, without copying them.
extension Statement {
    /// Binds values to the parameters from `first` on, runs to the end, ignoring rows, and resets.
    ///
    /// Other parameters keep their values. The bytes are borrowed for this run only, so bind all of these parameters
    /// again before the next one.
    /// - Throws: `SQLiteError` if a parameter does not exist, a value is too large, or the statement fails.
    @inlinable
    public func run(_ values: Span<ArenaValue>, from first: Int32, in arena: Span<UInt8>) throws(SQLiteError) {
        unsafe try arena.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
            var index = first
            for position in values.indices {
                switch values[position] {
                case .null: try bindNull(at: index)
                case .integer(let number): try bindInteger(number, at: index)
                case .real(let number): try bindReal(number, at: index)
                case .text(let range):
                    unsafe try bindText(UnsafeBufferPointer(rebasing: bytes[range.range]), at: index)
                case .blob(let range):
                    unsafe try bindBlob(UnsafeBufferPointer(rebasing: bytes[range.range]), at: index)
                }
                index += 1
            }
            try run()
        }
    }
}

/// Writes the results of a fetch in a format.
public protocol RecordWriter {
    /// Whether the writer supports rows that a cursor reads from pages.
    static var takesStoredRows: Bool { get }
    /// Writes the text before the first record.
    /// - Throws: `FetchError`, usually for a value that the format cannot represent; any error of the output's sink.
    mutating func begin() throws
    /// Writes the cursor's current row; returns false if it has a value that the format cannot represent, and the
    /// cursor handles refusals.
    /// - Throws: `FetchError`, usually for a value that the format cannot represent; any error of the output's sink.
    @discardableResult
    mutating func write(_ cursor: FetchCursor) throws -> Bool
    /// Writes the text after the last record, and passes all output to the sink.
    /// - Throws: `FetchError`, usually for a value that the format cannot represent; any error of the output's sink.
    mutating func end() throws
    /// Passes all output to the sink, before others write to it.
    /// - Throws: `FetchError`, usually for a value that the format cannot represent; any error of the output's sink.
    mutating func flush() throws
    /// Continues after another writer for the same format: takes over its pending output and its position.
    mutating func goOn(after other: inout Self)
}

extension RecordWriter {
    /// By default, rows are those of the cursor's statement.
    public static var takesStoredRows: Bool { false }

    /// Writes all results. Returns their number.
    /// - Throws: `FetchError`, usually for a value that the format cannot represent; `SQLiteError` if the store cannot
    ///   be read; any error of the output's sink.
    @discardableResult
    public mutating func writeAll(_ cursor: FetchCursor) throws -> Int64 {
        try begin()
        let count = try writeRows(cursor)
        try end()
        return count
    }

    /// Writes all results, without the text before and after them. Returns their number.
    /// - Throws: `FetchError`, usually for a value that the format cannot represent; `SQLiteError` if the store cannot
    ///   be read; any error of the output's sink.
    public mutating func writeRows(_ cursor: FetchCursor) throws -> Int64 {
        var count: Int64 = 0
        while try cursor.next() {
            if try write(cursor) { count += 1 }
        }
        return count
    }
}

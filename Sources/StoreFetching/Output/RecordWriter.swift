/// Writes the results of a fetch in a format.
public protocol RecordWriter {
    /// Whether it can write rows that a cursor reads from pages.
    static var takesStoredRows: Bool { get }
    /// What comes before the first record.
    /// - Throws: `FetchError`, as a rule, for what the format cannot hold; what the output's sink throws.
    mutating func begin() throws
    /// The cursor's current row; false if it has a value that the format cannot hold, and the cursor's owner takes
    /// that as a refusal of the row.
    /// - Throws: `FetchError`, as a rule, for what the format cannot hold; what the output's sink throws.
    @discardableResult
    mutating func write(_ cursor: FetchCursor) throws -> Bool
    /// What comes after the last record; passes everything on.
    /// - Throws: `FetchError`, as a rule, for what the format cannot hold; what the output's sink throws.
    mutating func end() throws
    /// Passes everything on, where others write what comes next.
    /// - Throws: `FetchError`, as a rule, for what the format cannot hold; what the output's sink throws.
    mutating func flush() throws
    /// Takes over from a writer of the same form: what it has not passed on yet, and where in the output it is.
    mutating func goOn(after other: inout Self)
}

extension RecordWriter {
    /// Rows are those of the cursor's statement.
    public static var takesStoredRows: Bool { false }

    /// Writes all results. Returns how many there were.
    /// - Throws: `FetchError`, as a rule, for a value that the format cannot hold; `SQLiteError` if the store cannot be
    ///   read; what the output's sink throws.
    @discardableResult
    public mutating func writeAll(_ cursor: FetchCursor) throws -> Int64 {
        try begin()
        let count = try writeRows(cursor)
        try end()
        return count
    }

    /// Writes all results without what comes before and after them. Returns how many there were.
    /// - Throws: `FetchError`, as a rule, for a value that the format cannot hold; `SQLiteError` if the store cannot be
    ///   read; what the output's sink throws.
    public mutating func writeRows(_ cursor: FetchCursor) throws -> Int64 {
        var count: Int64 = 0
        while try cursor.next() {
            if try write(cursor) { count += 1 }
        }
        return count
    }
}

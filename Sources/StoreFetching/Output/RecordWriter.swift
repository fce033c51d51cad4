/// Writes the results of a fetch in a format.
public protocol RecordWriter {
    /// What comes before the first record.
    mutating func begin() throws
    /// The cursor's current row.
    mutating func write(_ cursor: FetchCursor) throws
    /// What comes after the last record; passes everything on.
    mutating func end() throws
}

extension RecordWriter {
    /// Writes all results. Returns how many there were.
    @discardableResult
    public mutating func writeAll(_ cursor: FetchCursor) throws -> Int64 {
        try begin()
        var count: Int64 = 0
        while try cursor.next() {
            try write(cursor)
            count += 1
        }
        try end()
        return count
    }
}

public import SQLiteAccess

extension TableBuilder {
    /// Appends a column of the statement's current row to the row that was begun. The statement's database must have
    /// the same text encoding as the file that is built.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert the value for its column.
    public func append(_ column: Int32, of statement: Statement) throws(BuildError) {
        try statement.withValue(column) { (value) throws(BuildError) in
            switch value.storageClass {
            case .null: appendNull()
            case .integer: append(value.integer)
            case .real: try append(value.real)
            case .text: try value.withStoredBytes { (bytes) throws(BuildError) in try row.add(storedText: bytes) }
            case .blob: value.withStoredBytes { append(blob: $0) }
            }
        }
    }
}

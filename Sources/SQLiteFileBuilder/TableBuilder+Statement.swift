public import SQLiteAccess

extension TableBuilder {
    /// Appends a column of the statement's current row to the row that was begun.
    /// - Throws: `BuildError` of the kind `conversion` if SQLite cannot convert the value for its column.
    public func append(_ column: Int32, of statement: Statement) throws(BuildError) {
        try statement.withValue(column) { (value) throws(BuildError) in
            switch value.storageClass {
            case .null: appendNull()
            case .integer: append(value.integer)
            case .real: try append(value.real)
            case .text: try value.withSpan(ofBlob: false) { (bytes) throws(BuildError) in try append(text: bytes) }
            case .blob: value.withSpan(ofBlob: true) { append(blob: $0) }
            }
        }
    }
}

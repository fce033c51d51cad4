/// The rules for the rows of a table.
extension TableDefinition {
    /// SQLite's limit for the number of bytes in a row.
    static let largestRow = 1_000_000_000

    func checkNotNull(_ record: borrowing RecordEncoder, _ rowID: Int64, path: String) throws(BuildError) {
        for (position, column) in columns.enumerated()
        where column.isNotNull && position != rowIDColumn && record.slot(position).type == SerialType.null {
            throw BuildError(.missing(table: name, column: column.name, row: rowID), path: path)
        }
    }

    @inline(__always)
    func checkSize(_ record: borrowing RecordEncoder, _ rowID: Int64, path: String) throws(BuildError) {
        guard record.size <= Self.largestRow else {
            throw BuildError(.tooLarge(table: name, row: rowID), path: path)
        }
    }
}

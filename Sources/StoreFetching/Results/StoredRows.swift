import SQLiteAccess
import SQLiteFileBuilder
import TextEncodings

/// A row whose columns are accessed by index, counted from 0.
protocol RowValues {
    /// Returns the storage class of a value.
    func storageClass(_ column: Int32) -> StorageClass
    /// Returns an integer; other values are converted by SQLite's rules.
    func integer(_ column: Int32) -> Int64
    /// Returns a real, or an integer converted to one.
    func real(_ column: Int32) -> Double
    /// Calls a closure with the bytes of a text (UTF-8) or a blob.
    func withBytes(of column: Int32, _ body: (Span<UInt8>) throws -> Void) rethrows
}

extension RowValues {
    /// Returns a copy of the bytes of a text (UTF-8) or a blob.
    func bytes(_ column: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        withBytes(of: column) { bytes.append(copying: $0) }
        return bytes
    }
}

extension Statement: RowValues {
    func withBytes(of column: Int32, _ body: (Span<UInt8>) throws -> Void) rethrows { try withSpan(column, body) }
}

extension TableRows: RowValues {
    func withBytes(of column: Int32, _ body: (Span<UInt8>) throws -> Void) rethrows { try withSpan(column, body) }
}

/// Columns of an entity's table, and the selected rows.
struct StoredSelection: Sendable {
    /// The name of the table.
    let table: String
    /// The columns, in the order of the statement; the primary key is the last one.
    let columns: [String]
    /// The entity numbers of the selected rows; empty for all rows.
    let entityNumbers: [Int64]

    /// Returns the rows on a connection that has begun to read; nil if they must be read by SQLite.
    func rows(on connection: Connection) throws(SQLiteError) -> TableRows? {
        try TableRows(
            of: table, columns: columns, having: entityNumbers.isEmpty ? nil : ("Z_ENT", entityNumbers), on: connection)
    }
}

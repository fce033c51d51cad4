import SQLiteAccess
import SQLiteFileBuilder
import TextEncodings

/// A row whose columns can be asked for, counted from 0.
protocol RowValues {
    /// How a value is stored.
    func storageClass(_ column: Int32) -> StorageClass
    /// An integer; what SQLite makes of other values.
    func integer(_ column: Int32) -> Int64
    /// A real, or an integer as one.
    func real(_ column: Int32) -> Double
    /// Calls a closure with the bytes of a text (UTF-8) or a blob.
    func withBytes(of column: Int32, _ body: (Span<UInt8>) throws -> Void) rethrows
}

extension RowValues {
    /// The bytes of a text (UTF-8) or a blob, copied.
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

/// Columns of an entity's table, and which of its rows are meant.
struct StoredSelection: Sendable {
    /// The name of the table.
    let table: String
    /// The columns, in the order of the statement's; the primary key is the last one.
    let columns: [String]
    /// The numbers of the entities whose rows are meant; empty for all rows.
    let entityNumbers: [Int64]

    /// The rows on a connection that has begun to read; nil if SQLite has to read them.
    func rows(on connection: Connection) throws(SQLiteError) -> TableRows? {
        try TableRows(
            of: table, columns: columns, having: entityNumbers.isEmpty ? nil : ("Z_ENT", entityNumbers), on: connection)
    }
}

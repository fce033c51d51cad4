import PersistentStores
import SQLiteAccess

/// Moves the rows of a table through Swift, where a column's value needs more than SQL: external data become inline.
struct RowTransfer {
    let fill: TableFill
    let connection: Connection
    let externalDataDirectory: String
    let path: String
    let limits: BatchLimits

    /// The first primary key that is still to be transferred; nil for all.
    var firstKey: Int64?

    /// - Parameter endBatch: gets the rows of the batch and the first key that is left, nil behind the last batch.
    func run(beginBatch: () throws -> Void, endBatch: (Int64, Int64?) throws -> Void) throws {
        let bounds = try connection.rows("SELECT min(Z_PK), max(Z_PK) FROM \(fill.source)").first ?? []
        guard var lower = bounds.first?.integer, let last = bounds.last?.integer else { return }
        if let firstKey { lower = max(lower, firstKey) }
        let select = try connection.prepare(fill.selectStatement)
        let insert = try connection.prepare(fill.insertValuesStatement)
        let inlined = Set(fill.inlinedColumns)
        let keyColumn = fill.columns.firstIndex(of: "Z_PK") ?? 0
        while true {
            try beginBatch()
            try select.bindInteger(lower, at: 1)
            try select.bindInteger(last, at: 2)
            var rows = 0
            var bytes = 0
            var isFull = false
            while try select.step() {
                let key = select.integer(Int32(keyColumn))
                for column in fill.columns.indices {
                    if inlined.contains(column), !select.isNull(Int32(column)) {
                        let value = try inlineValue(select, Int32(column), key: key)
                        bytes += value.count
                        try insert.bind(.blob(value), at: Int32(column + 1))
                    } else {
                        try insert.bindColumn(Int32(column), of: select, at: Int32(column + 1))
                        bytes += 8
                    }
                }
                try insert.run()
                rows += 1
                if rows >= limits.rows || bytes >= limits.bytes, key < last {
                    lower = key + 1
                    isFull = true
                    break
                }
            }
            select.reset()
            insert.clearBindings()
            try endBatch(Int64(rows), isFull ? lower : nil)
            if !isFull { break }
        }
    }

    /// A value in a row is in memory as a whole, here and in every app that fetches the object; SQLite's own limit is
    /// four times as much.
    static let maximumInlineSize: Int64 = 256 << 20

    /// SPEC B.6: tag 1 and the data, or tag 2, 36 characters of a file name, and NUL.
    private func inlineValue(_ statement: Statement, _ column: Int32, key: Int64) throws -> [UInt8] {
        let value = statement.withBytes(column) { Array($0) }
        let name = fill.columns[Int(column)]
        switch value.first {
        case 1: return Array(value.dropFirst())
        case 2:
            let text = value.dropFirst().prefix { $0 != 0 }
            let file = String(decoding: text, as: UTF8.self)
            guard ExternalRecord.isName(file) else {
                throw MigrationError(.externalValueMalformed(column: name, key: key), path: path)
            }
            if let size = FileSystem.size(externalDataDirectory + "/" + file), size > Self.maximumInlineSize {
                throw MigrationError(
                    .externalRecordTooLarge(column: name, key: key, file: file, bytes: size), path: path)
            }
            guard let content = try ExternalRecord.content(named: file, in: externalDataDirectory) else {
                throw MigrationError(.externalRecordMissing(column: name, key: key, file: file), path: path)
            }
            return content
        default: throw MigrationError(.externalValueMalformed(column: name, key: key), path: path)
        }
    }
}

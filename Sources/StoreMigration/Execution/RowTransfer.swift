import PersistentStores
import SQLiteAccess

/// Transfers the rows of a table in Swift, because the value of a column cannot be computed in SQL: external data
/// become inline.
struct RowTransfer {
    let fill: TableFill
    let connection: Connection
    let external: ExternalValueReader
    let limits: BatchLimits

    /// The first primary key that has not been transferred yet; nil for all rows.
    var firstKey: Int64?

    /// Transfers the rows, batch by batch.
    ///
    /// - Parameters:
    ///   - beginBatch: called before each batch.
    ///   - endBatch: called after each batch with the number of its rows and the first remaining key, which is nil
    ///     after the last batch.
    func run(beginBatch: () throws -> Void, endBatch: (Int64, Int64?) throws -> Void) throws {
        guard let bounds = try fill.bounds(on: connection) else { return }
        let last = bounds.upperBound
        var lower = max(bounds.lowerBound, firstKey ?? bounds.lowerBound)
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
                        let value = try external.value(select, Int32(column), name: fill.columns[column], key: key)
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
}

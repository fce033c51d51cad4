/// Encodes the entries of one index: the columns as the table stores them, then the row id.
final class IndexEntryEncoder {
    @exclusivity(unchecked) private(set) var record: RecordEncoder
    /// By column of the index, that of the table; -1 for the row id.
    private let positions: [Int]

    init(_ definition: IndexDefinition, of table: TableDefinition) {
        positions = definition.columns.map { column in
            column.position.flatMap { $0 == table.rowIDColumn ? nil : $0 } ?? -1
        }
        record = RecordEncoder(columns: positions.count + 1)
    }

    func encode(_ rowID: Int64, _ row: borrowing RecordEncoder) {
        record.removeAll()
        for position in positions {
            if position >= 0 {
                record.add(row.slot(position), of: row)
            } else {
                record.add(rowID)
            }
        }
        record.add(rowID)
        record.seal()
    }

    /// The entry of an index on columns that hold integers or NULL.
    func encode(_ values: IndexedIntegers, row: Int64) {
        record.removeAll()
        add(values.first)
        if values.isPair { add(values.second) }
        record.add(row)
        record.seal()
    }

    private func add(_ value: Int64?) {
        if let value { record.add(value) } else { record.addNull() }
    }
}

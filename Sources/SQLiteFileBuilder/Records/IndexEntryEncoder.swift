/// Encodes the entries of an index: the values of its columns as the table stores them, then the row ID.
final class IndexEntryEncoder {
    @exclusivity(unchecked) private(set) var record: RecordEncoder
    /// For each column of the index, its position in the table; -1 for the row ID.
    private let positions: [Int]
    /// The order of integers and NULL; nil if the index has too many columns for it.
    let order: IntegerOrder?

    init(_ definition: IndexDefinition, of table: TableDefinition) {
        positions = definition.columns.map { column in
            column.position.flatMap { $0 == table.rowIDColumn ? nil : $0 } ?? -1
        }
        record = RecordEncoder(columns: positions.count + 1)
        order = IntegerOrder(definition, of: table)
    }

    /// Appends the entry of a row to the entries of a block; returns its size in bytes.
    @inline(__always)
    func append(_ rowID: Int64, _ row: borrowing RecordEncoder, to entries: EncodedEntries) -> Int {
        if entries.hasIntegersOnly, let key = order?.key(rowID, row) {
            entries.add(rowID, key: key)
            return EncodedEntries.stride
        }
        encode(rowID, row)
        entries.add(record)
        return record.size
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

    /// Encodes an entry of an index on columns that hold numbers or NULL.
    func encode(_ values: IndexedNumbers, row: Int64) {
        record.removeAll()
        if let real = values.real { record.add(real) } else { add(values.first) }
        if values.isPair { add(values.second) }
        record.add(row)
        record.seal()
    }

    private func add(_ value: Int64?) {
        if let value { record.add(value) } else { record.addNull() }
    }
}

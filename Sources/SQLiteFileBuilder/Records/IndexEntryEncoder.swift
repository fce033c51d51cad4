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

    /// The entry of an index on one column, which holds an integer or NULL.
    func encode(_ value: Int64?, row: Int64) {
        record.removeAll()
        if let value { record.add(value) } else { record.addNull() }
        record.add(row)
        record.seal()
    }

    /// What such an entry sorts by, where it holds an integer or NULL.
    @inline(__always)
    static func integer(_ bytes: borrowing ByteBuffer, _ start: Int, _ order: IntegerOrder) -> UInt64? {
        // The sizes of the header and of these types take one byte each.
        let type = UInt64(bytes.load(UInt8.self, at: start + 1))
        return order.key(type, bytes, at: start + Int(bytes.load(UInt8.self, at: start)))
    }
}

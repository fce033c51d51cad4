public import SQLiteAccess

/// Encodes the rows of a selection for a table, on any thread: what of building a table needs no file.
public final class RowEncoder {
    private let definition: TableDefinition
    private let path: String
    private let hasNotNull: Bool
    @exclusivity(unchecked) private var row: AffinityEncoder
    private let entries: [IndexEntryEncoder]

    /// - Parameter path: the file that is written, for errors.
    public init(_ definition: TableDefinition, path: String) {
        self.definition = definition
        self.path = path
        hasNotNull = definition.columns.contains(where: \.isNotNull)
        row = AffinityEncoder(definition.columns.map(\.affinity), rowIDColumn: definition.rowIDColumn)
        entries = definition.indexes.map { IndexEntryEncoder($0, of: definition) }
    }

    /// Adds the row that a statement is at to a block.
    ///
    /// - Parameters:
    ///   - columns: by column of the table, that of the selection; -1 for NULL.
    ///   - key: the column of the selection that has the row id.
    public func append(
        rowOf select: Statement, columns: [Int32], key: Int32, to block: RowBlock
    ) throws(BuildError) {
        row.removeAll()
        for column in columns {
            guard column >= 0 else {
                row.addNull()
                continue
            }
            try select.withValue(column) { (value) throws(BuildError) in
                let storage = value.storageClass
                switch storage {
                case .null: row.addNull()
                case .integer: row.add(value.integer)
                case .real: try row.add(value.real)
                case .text: try value.withSpan(ofBlob: false) { (bytes) throws(BuildError) in try row.add(text: bytes) }
                case .blob: value.withSpan(ofBlob: true) { row.add(blob: $0) }
                }
            }
        }
        let rowID = select.integer(key)
        if hasNotNull { try definition.checkNotNull(row.record, rowID, path: path) }
        row.seal()
        try definition.checkSize(row.record, rowID, path: path)
        block.add(rowID, row.record)
        for entry in entries {
            entry.encode(rowID, row.record)
            block.add(entry.record)
        }
    }
}

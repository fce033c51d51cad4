public import SQLiteAccess

/// Encodes the rows of a selection for a table, on any thread: what of building a table needs no file.
public final class RowEncoder {
    private let definition: TableDefinition
    private let path: String
    private let hasNotNull: Bool
    @exclusivity(unchecked) private var row: AffinityEncoder
    private let entries: [IndexEntryEncoder]

    /// Makes an encoder of rows of a table.
    /// - Parameters:
    ///   - definition: the columns and indexes of the table.
    ///   - path: the file that is written, for errors.
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
    ///   - select: a statement that is at a row.
    ///   - columns: by column of the table, that of the selection; -1 for NULL.
    ///   - key: the column of the selection that has the row id.
    ///   - block: the block that the row is added to.
    /// - Throws: `BuildError` if a value is missing, cannot be converted, or the row is too large.
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
        try add(select.integer(key), to: block)
    }

    /// Adds a row that was read from a file to a block.
    ///
    /// - Parameters:
    ///   - values: the values of its record.
    ///   - bytes: the record.
    ///   - rowID: the ID that the row gets.
    ///   - columns: by column of the table, where its value is.
    ///   - block: the block that the row is added to.
    /// - Throws: `BuildError` if a value is missing, cannot be converted, or the row is too large.
    public func append(
        _ values: borrowing RecordValues, of bytes: Span<UInt8>, rowID: Int64, columns: [RecordColumn],
        to block: RowBlock
    ) throws(BuildError) {
        row.removeAll()
        for column in columns {
            switch column {
            case .null: row.addNull()
            case .rowID: row.add(rowID)
            case .constant(let value): try add(value)
            case .value(let position, let affinity):
                guard position < values.count else {
                    row.addNull()
                    continue
                }
                try row.add(
                    type: values.type(position), bytes.extracting(values.range(position)), from: affinity)
            case .replaced(let position, let numbers):
                guard let value = values.integer(position, of: bytes) else {
                    row.addNull()
                    continue
                }
                row.add(numbers[value] ?? value)
            }
        }
        try add(rowID, to: block)
    }

    private func add(_ value: SQLiteValue) throws(BuildError) {
        switch value {
        case .null: row.addNull()
        case .integer(let number): row.add(number)
        case .real(let number): try row.add(number)
        case .text(let bytes): try row.add(text: bytes.span)
        case .blob(let bytes): row.add(blob: bytes.span)
        }
    }

    @inline(__always)
    private func add(_ rowID: Int64, to block: RowBlock) throws(BuildError) {
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

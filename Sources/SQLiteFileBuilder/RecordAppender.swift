/// Appends the rows of blocks to a table that is built, with other values in place of some of theirs.
public final class RecordAppender {
    /// The source of a column's value.
    private enum Part {
        case null
        case rowID
        /// A column of the block with the same affinity.
        case copied(Int)
        case converted(Int, ColumnAffinity)
    }

    private let table: TableBuilder
    private let block: RecordBlock
    private let parts: [Part]
    /// The required columns, by their positions in the table and in the block.
    private let required: [(position: Int, column: Int)]

    /// Prepares to append rows.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - columns: for each column of the table, the column of the block; -1 for NULL.
    ///   - key: the column of the block that is replaced by the row's key.
    ///   - required: the columns of the block that must not be NULL.
    ///   - block: the block.
    public init(to table: TableBuilder, columns: [Int], key: Int, required: [Int], from block: RecordBlock) {
        (self.table, self.block) = (table, block)
        self.required = required.compactMap { column in columns.firstIndex(of: column).map { ($0, column) } }
        parts = columns.enumerated().map { position, column in
            guard column >= 0 else { return .null }
            guard column != key else { return .rowID }
            let (affinity, definition) = (block.affinities[column], table.definition)
            return affinity == definition.columns[position].affinity && position != definition.rowIDColumn
                ? .copied(column) : .converted(column, affinity)
        }
    }

    /// Appends the current row of the block.
    ///
    /// - Parameters:
    ///   - rowID: the ID of the new row.
    ///   - own: the values that replace those of the row, by column of the block.
    /// - Throws: `BuildError` if a value is missing or cannot be converted, if the row is too large, if its ID does not
    ///   ascend, or if the disk fails.
    /// - Returns: a required column that is NULL, in which case the row is not appended; nil if there is none.
    public func append(_ rowID: Int64, _ own: borrowing ReplacedRowValues) throws(BuildError) -> Int? {
        table.beginRow()
        for index in parts.indices {
            switch parts[index] {
            case .null: table.row.addNull()
            case .rowID: table.row.add(rowID)
            case .copied(let column):
                if try own.add(column, to: &table.row) { continue }
                let slot = block.slot(column)
                block.bytes.withBytes(slot.start..<slot.start + SerialType.length(slot.type)) {
                    table.row.add(copied: slot.type, $0)
                }
            case .converted(let column, let affinity):
                if try own.add(column, to: &table.row) { continue }
                let slot = block.slot(column)
                try block.bytes.withBytes(slot.start..<slot.start + SerialType.length(slot.type)) {
                    (bytes) throws(BuildError) in
                    try table.row.add(type: slot.type, bytes, from: affinity)
                }
            }
        }
        for index in required.indices where table.row.record.slot(required[index].position).type == SerialType.null {
            return required[index].column
        }
        try table.endRow(rowID)
        return nil
    }
}

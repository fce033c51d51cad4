/// Gathers the keys of a table's indexes on single columns of integers, and hands them to the indexes by the block.
struct IntegerColumns: ~Copyable {
    private struct Column {
        /// nil for the row id.
        let position: Int?
        let order: IntegerOrder
    }

    private var columns: [Column] = []
    private var indexes: [IndexWriter] = []
    /// The indexes whose entries are records.
    private(set) var others: [IndexWriter]
    /// For each row its id, then a key for each column, eight bytes each.
    private var block: ByteBuffer
    private var count = 0

    private let blockRows: Int

    /// - Parameter blockRows: rows that are handed over together.
    init(_ indexes: [IndexWriter], blockRows: Int) {
        self.blockRows = max(1, blockRows)
        others = []
        for index in indexes {
            if index.hasIntegers {
                self.indexes.append(index)
                columns.append(Column(position: index.onlyColumn, order: index.order))
            } else {
                others.append(index)
            }
        }
        block = ByteBuffer(capacity: (columns.count + 1) * 8 * self.blockRows)
    }

    var isEmpty: Bool { columns.isEmpty }

    private var rowBytes: Int { (columns.count + 1) * 8 }

    /// Adds a row; false if one of its values is not an integer: nothing is added then, and that index is one of the
    /// others.
    @inline(__always)
    mutating func add(_ rowID: Int64, _ row: borrowing RecordEncoder) throws(BuildError) -> Bool {
        let start = count * rowBytes
        block.store(rowID, at: start)
        for index in columns.indices {
            guard let key = Self.key(columns[index], rowID, row) else {
                try leave(index)
                return false
            }
            block.store(key, at: start + 8 + index * 8)
        }
        count += 1
        if count == blockRows { try flush() }
        return true
    }

    @inline(__always)
    private static func key(_ column: Column, _ rowID: Int64, _ row: borrowing RecordEncoder) -> UInt64? {
        guard let position = column.position else { return column.order.key(rowID) }
        let slot = row.slot(position)
        return column.order.key(slot.type, row.body, at: slot.start)
    }

    @inline(never)
    private mutating func leave(_ index: Int) throws(BuildError) {
        try flush()
        try indexes[index].leaveIntegers()
        others.append(indexes.remove(at: index))
        columns.remove(at: index)
    }

    /// Hands over what is gathered.
    mutating func flush() throws(BuildError) {
        for (offset, index) in indexes.enumerated() {
            try index.addIntegers(of: block, offset: 8 + offset * 8, stride: rowBytes, count: count)
        }
        count = 0
    }
}

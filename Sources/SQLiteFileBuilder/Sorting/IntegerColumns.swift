/// Collects the keys of a table's indexes on one or two integer columns, and passes them to the indexes in blocks.
struct IntegerColumns: ~Copyable {
    private var orders: [IntegerOrder] = []
    private var indexes: [IndexWriter] = []
    /// The indexes whose entries are records.
    private(set) var others: [IndexWriter]
    /// For each row its ID, followed by a key for each index, eight bytes each.
    private var block: ByteBuffer
    private var count = 0

    private let blockRows: Int

    /// - Parameter blockRows: the number of rows that are passed on together.
    init(_ indexes: [IndexWriter], blockRows: Int) {
        self.blockRows = max(1, blockRows)
        others = []
        for index in indexes {
            if index.hasIntegers, let order = index.order {
                self.indexes.append(index)
                orders.append(order)
            } else {
                others.append(index)
            }
        }
        block = ByteBuffer(capacity: (orders.count + 1) * 8 * self.blockRows)
    }

    var isEmpty: Bool { orders.isEmpty }

    private var rowBytes: Int { (orders.count + 1) * 8 }

    /// Adds a row; returns false if one of its values does not fit. Nothing is added then, and the index becomes one of
    /// `others`.
    @inline(__always)
    mutating func add(_ rowID: Int64, _ row: borrowing RecordEncoder) throws(BuildError) -> Bool {
        let start = count * rowBytes
        block.store(rowID, at: start)
        for index in orders.indices {
            guard let key = orders[index].key(rowID, row) else {
                try leave(index)
                return false
            }
            block.store(key, at: start + 8 + index * 8)
        }
        count += 1
        if count == blockRows { try flush() }
        return true
    }

    /// Adds a row of integers; returns false under the same conditions as for other rows.
    @inline(__always)
    mutating func add(_ rowID: Int64, _ row: IntegerRow) throws(BuildError) -> Bool {
        let start = count * rowBytes
        block.store(rowID, at: start)
        for index in orders.indices {
            guard let key = orders[index].key(rowID, row) else {
                try leave(index)
                return false
            }
            block.store(key, at: start + 8 + index * 8)
        }
        count += 1
        if count == blockRows { try flush() }
        return true
    }

    @inline(never)
    private mutating func leave(_ index: Int) throws(BuildError) {
        try flush()
        try indexes[index].leaveIntegers()
        others.append(indexes.remove(at: index))
        orders.remove(at: index)
    }

    /// Passes on the collected keys.
    mutating func flush() throws(BuildError) {
        for (offset, index) in indexes.enumerated() {
            try index.addIntegers(of: block, offset: 8 + offset * 8, stride: rowBytes, count: count)
        }
        count = 0
    }
}

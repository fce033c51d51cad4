/// Collects the entries of an index while its table is written, and then writes the b-tree of the index.
final class IndexWriter {
    let definition: IndexDefinition
    let root: UInt32
    private let table: TableDefinition
    private let sorter: EntrySorter
    private let normalizer: KeyNormalizer
    private let encoder: IndexEntryEncoder

    /// The order of integers and NULL; nil if the index has too many columns for it.
    var order: IntegerOrder? { encoder.order }
    /// The sorter of integer entries; nil once the index has other values.
    @exclusivity(unchecked) private var integers: IntegerSorter?
    var hasIntegers: Bool { integers != nil }

    init(_ definition: IndexDefinition, of table: TableDefinition, root: UInt32, memory: SortMemory, path: String) {
        self.definition = definition
        self.table = table
        self.root = root
        normalizer = KeyNormalizer(descending: definition.columns.map(\.isDescending))
        sorter = EntrySorter(normalizer, memory: memory, beside: path)
        encoder = IndexEntryEncoder(definition, of: table)
        if encoder.order != nil { integers = IntegerSorter(memory: memory, beside: path) }
    }

    /// Adds entries from a block of rows and keys. The row comes first in each part of the block.
    func addIntegers(
        of block: borrowing ByteBuffer, offset: Int, stride: Int, count: Int
    ) throws(BuildError) {
        if let integers { return try integers.add(block, offset: offset, stride: stride, count: count) }
        for index in 0..<count {
            let place = index * stride
            try addRecord(block.load(at: place + offset), row: block.load(at: place))
        }
    }

    /// Sorts all further entries as records, after moving the earlier ones to the new order.
    func leaveIntegers() throws(BuildError) {
        guard let integers else { return }
        self.integers = nil
        try integers.drain { (key, row) throws(BuildError) in try addRecord(key, row: row) }
    }

    private func addRecord(_ key: UInt64, row: Int64) throws(BuildError) {
        guard let order else { return }
        encoder.encode(order.values(key), row: row)
        try sorter.add(encoder.record)
    }

    /// Adds the entry of a row.
    func add(_ rowID: Int64, _ row: borrowing RecordEncoder) throws(BuildError) {
        encoder.encode(rowID, row)
        try sorter.add(encoder.record)
    }

    /// Adds entries that have been encoded already.
    func add(_ entries: EncodedEntries) throws(BuildError) {
        try addIntegers(of: entries.integers, offset: 8, stride: EncodedEntries.stride, count: entries.integerCount)
        guard !entries.hasIntegersOnly else { return }
        try leaveIntegers()
        var start = 0
        for end in entries.ends {
            try sorter.add(entries.bytes, start..<end)
            start = end
        }
    }

    /// Removes all entries.
    func removeAll() {
        integers?.removeAll()
        sorter.removeAll()
    }

    func finish(_ file: PageFile) throws(BuildError) {
        var tree = IndexTree(file: file, root: root)
        if let integers, let order {
            try append(integers, order, to: &tree, file)
        } else if definition.isUnique {
            var check = UniquenessCheck(normalizer)
            try sorter.drain { (bytes, range) throws(BuildError) in
                if let other = check.earlierRow(bytes, range) {
                    throw notUnique(UniquenessCheck.rowID(bytes, range), other, path: file.file.path)
                }
                try tree.append(bytes, range)
            }
        } else {
            try sorter.drain { (bytes, range) throws(BuildError) in try tree.append(bytes, range) }
        }
        try tree.finish()
    }

    private func append(
        _ integers: IntegerSorter, _ order: IntegerOrder, to tree: inout IndexTree, _ file: PageFile
    ) throws(BuildError) {
        let isUnique = definition.isUnique
        var last: (key: UInt64, row: Int64)?
        try integers.drain { (key, row) throws(BuildError) in
            let values = order.values(key)
            if isUnique {
                if let last, last.key == key, !values.hasNull { throw notUnique(row, last.row, path: file.file.path) }
                last = (key, row)
            }
            try tree.append(values, row: row)
        }
    }

    private func notUnique(_ row: Int64, _ other: Int64, path: String) -> BuildError {
        let columns = definition.columns.map { column in
            table.name + "." + (column.position.map { table.columns[$0].name } ?? "rowid")
        }
        return BuildError(
            .notUnique(index: definition.name, columns: columns.joined(separator: ", "), row: row, other: other),
            path: path)
    }
}

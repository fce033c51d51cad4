/// Gathers the entries of an index while its table is written, and writes the b-tree behind it.
final class IndexWriter {
    let definition: IndexDefinition
    let root: UInt32
    private let table: TableDefinition
    private let sorter: EntrySorter
    private let normalizer: KeyNormalizer
    @exclusivity(unchecked) private var record: RecordEncoder

    init(_ definition: IndexDefinition, of table: TableDefinition, root: UInt32, memory: SortMemory, path: String) {
        self.definition = definition
        self.table = table
        self.root = root
        normalizer = KeyNormalizer(descending: definition.columns.map(\.isDescending))
        sorter = EntrySorter(normalizer, memory: memory, beside: path)
        record = RecordEncoder(columns: definition.columns.count + 1)
    }

    /// Adds the entry of a row: the columns as the table stores them, then the row id.
    func add(_ rowID: Int64, _ row: borrowing RecordEncoder) throws(BuildError) {
        record.removeAll()
        for column in definition.columns {
            if let position = column.position, position != table.rowIDColumn {
                record.add(row.slots[position], of: row)
            } else {
                record.add(rowID)
            }
        }
        record.add(rowID)
        record.seal()
        try sorter.add(record)
    }

    /// Forgets all entries.
    func removeAll() {
        sorter.removeAll()
    }

    func finish(_ file: PageFile) throws(BuildError) {
        var tree = IndexTree(file: file, root: root)
        if definition.isUnique {
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

    private func notUnique(_ row: Int64, _ other: Int64, path: String) -> BuildError {
        let columns = definition.columns.map { column in
            table.name + "." + (column.position.map { table.columns[$0].name } ?? "rowid")
        }
        return BuildError(
            .notUnique(index: definition.name, columns: columns.joined(separator: ", "), row: row, other: other),
            path: path)
    }
}

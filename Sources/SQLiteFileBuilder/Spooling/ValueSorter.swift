public import SQLiteAccess

/// Ranks numbers by values in bounded memory, in the order in which SQLite sorts the values.
public final class ValueSorter {
    private let sorter: EntrySorter
    private let memory: SpoolMemory
    @exclusivity(unchecked) private var entry = RecordEncoder(columns: 2)

    /// Creates an empty sorter.
    public init(_ memory: SpoolMemory) {
        self.memory = memory
        sorter = EntrySorter(
            KeyNormalizer(descending: [false, false]), memory: memory.sorting, beside: memory.path)
    }

    /// Adds a number with its value.
    /// - Throws: `BuildError` if values must be written to the disk, and it is full or fails.
    public func add(_ value: SQLiteValue, of number: Int64) throws(BuildError) {
        entry.removeAll()
        switch value {
        case .null: entry.addNull()
        case .integer(let integer): entry.add(integer)
        case .real(let real):
            // Equal numbers must be equal values.
            if let integer = Int64(exactly: real) { entry.add(integer) } else { entry.add(real) }
        case .text(let text): entry.add(text.span, isText: true)
        case .blob(let blob): entry.add(blob.span, isText: false)
        }
        entry.add(number)
        entry.seal()
        try sorter.add(entry)
    }

    /// Returns the numbers in order, each with the rank of its value, and empties the sorter. The first rank is 1, and
    /// equal values have the same rank.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func ranks() throws(BuildError) -> PairFile {
        let ranks = PairSorter(memory)
        let record = StoredRecord()
        var (last, rank): (SQLiteValue?, Int64) = (nil, 0)
        try sorter.drain { (bytes, range) throws(BuildError) in
            record.prepare(range.count)
            record.fill(bytes, range, at: 0)
            guard record.takeApart(), let number = record.integer(1) else { return }
            let value = record.value(0)
            if value != last { (last, rank) = (value, rank + 1) }
            try ranks.add(number, rank)
        }
        return try ranks.sorted()
    }
}

/// Sorts rows by two numbers in bounded memory: the group to which a row belongs, and its place in the group.
public final class GroupSorter {
    private let sorter: EntrySorter
    @exclusivity(unchecked) private var entry = RecordEncoder(columns: 3)
    /// The number of rows in the sorter.
    public private(set) var count = 0

    /// Creates an empty sorter.
    public init(_ memory: SpoolMemory) {
        sorter = EntrySorter(
            KeyNormalizer(descending: [false, false]), memory: memory.sorting, beside: memory.path)
    }

    /// Adds a row with its sort keys.
    /// - Throws: `BuildError` if rows must be written to the disk, and it is full or fails.
    public func add(group: Int64, place: Int64, _ row: Span<UInt8>) throws(BuildError) {
        entry.removeAll()
        entry.add(group)
        entry.add(place)
        entry.add(row, isText: false)
        entry.seal()
        try sorter.add(entry)
        count += 1
    }

    /// Passes all rows to a closure in order, and removes them.
    /// - Throws: `BuildError` if the disk fails; the closure's error.
    public func drain(
        _ body: (_ group: Int64, _ place: Int64, _ row: Span<UInt8>) throws(BuildError) -> Void
    ) throws(BuildError) {
        let record = StoredRecord()
        try sorter.drain { (bytes, range) throws(BuildError) in
            record.prepare(range.count)
            record.fill(bytes, range, at: 0)
            guard record.takeApart(), let group = record.integer(0), let place = record.integer(1) else { return }
            let slot = record.slot(2)
            try record.bytes.withBytes(slot.start..<slot.start + SerialType.length(slot.type)) {
                (row) throws(BuildError) in try body(group, place, row)
            }
        }
    }
}

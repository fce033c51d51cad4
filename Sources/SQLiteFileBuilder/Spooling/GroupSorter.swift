/// Sorts rows by two numbers in bounded memory: the group that a row belongs to, and its place in that.
public final class GroupSorter {
    private let sorter: EntrySorter
    @exclusivity(unchecked) private var entry = RecordEncoder(columns: 3)
    /// How many rows were added since the sorter was empty.
    public private(set) var count = 0

    /// Makes a sorter without rows.
    public init(_ memory: SpoolMemory) {
        sorter = EntrySorter(
            KeyNormalizer(descending: [false, false]), memory: memory.sorting, beside: memory.path)
    }

    /// Adds a row with the numbers that it is sorted by.
    /// - Throws: `BuildError` if rows have to go to the disk, and it is full or fails.
    public func add(group: Int64, place: Int64, _ row: Span<UInt8>) throws(BuildError) {
        entry.removeAll()
        entry.add(group)
        entry.add(place)
        entry.add(row, isText: false)
        entry.seal()
        try sorter.add(entry)
        count += 1
    }

    /// Gives all rows in their order, and forgets them.
    /// - Throws: `BuildError` if the disk fails; what the body throws.
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

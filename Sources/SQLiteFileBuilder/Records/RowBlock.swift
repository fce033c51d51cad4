/// Rows that a `RowEncoder` has encoded, for `TableBuilder` to append: records and index entries as bytes.
///
/// Is handed from one thread to another, and belongs to one at a time.
public final class RowBlock: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    /// How many bytes the rows have.
    @exclusivity(unchecked) public private(set) var size = 0
    @exclusivity(unchecked) private(set) var rowIDs: [Int64] = []
    /// By row, the bytes of its record and of its entry in each index.
    @exclusivity(unchecked) private(set) var sizes: [Int] = []

    private let largestKept: Int

    /// Makes a block without rows.
    public init(limits: BuildLimits = BuildLimits()) {
        largestKept = limits.keptRowBytes
    }

    /// How many rows there are.
    public var count: Int { rowIDs.count }

    /// Whether memory is too much to have several blocks of it.
    public var isLarge: Bool { size > largestKept }

    /// Removes the rows, and keeps the memory for the next ones unless it is much.
    public func removeAll() {
        if bytes.capacity > largestKept { bytes = ByteBuffer(capacity: 0) }
        size = 0
        rowIDs.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    func add(_ rowID: Int64, _ record: borrowing RecordEncoder) {
        rowIDs.append(rowID)
        add(record)
    }

    @inline(__always)
    func add(_ record: borrowing RecordEncoder) {
        let count = record.size
        bytes.reserve(size + count)
        record.copy(0..<count, to: &bytes, at: size)
        size += count
        sizes.append(count)
    }
}

/// Rows that a `RowEncoder` has encoded, to be appended by `TableBuilder`: their records and index entries.
///
/// A block is passed between threads, and only one thread at a time may use it.
public final class RowBlock: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private var recordBytes = 0
    /// The number of bytes of the rows and their index entries.
    @exclusivity(unchecked) public private(set) var size = 0
    @exclusivity(unchecked) private(set) var rowIDs: [Int64] = []
    /// For each row, the end of its record.
    @exclusivity(unchecked) private(set) var ends: [Int] = []
    /// The entries of each index of the table.
    @exclusivity(unchecked) private(set) var entries: [EncodedEntries] = []

    private let largestKept: Int

    /// Creates an empty block.
    public init(limits: BuildLimits = BuildLimits()) {
        largestKept = limits.keptRowBytes
    }

    /// The number of rows.
    public var count: Int { rowIDs.count }

    /// Whether the block takes too much memory to keep several of them.
    public var isLarge: Bool { size > largestKept }

    /// Removes the rows. The memory is kept for the next rows, unless it is large.
    public func removeAll() {
        if isLarge {
            bytes = ByteBuffer(capacity: 0)
            entries = []
        }
        for entries in entries { entries.removeAll() }
        (recordBytes, size) = (0, 0)
        rowIDs.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// The ID of the first row; nil if there are no rows.
    public var firstRowID: Int64? { rowIDs.first }

    /// Calls a closure with the ID and the record of each row.
    /// - Throws: what the closure throws.
    public func forEach(_ body: (_ rowID: Int64, _ record: Span<UInt8>) throws(BuildError) -> Void) throws(BuildError) {
        var start = 0
        for (rowID, end) in zip(rowIDs, ends) {
            try bytes.withBytes(start..<end) { (record) throws(BuildError) in try body(rowID, record) }
            start = end
        }
    }

    /// - Parameter encoders: one encoder for each index of the table.
    @inline(__always)
    func add(_ rowID: Int64, _ record: borrowing RecordEncoder, _ encoders: [IndexEntryEncoder]) {
        while entries.count < encoders.count { entries.append(EncodedEntries()) }
        let count = record.size
        bytes.reserve(recordBytes + count)
        record.copy(0..<count, to: &bytes, at: recordBytes)
        recordBytes += count
        size += count
        rowIDs.append(rowID)
        ends.append(recordBytes)
        for index in encoders.indices {
            // The arrays own both objects. Retaining and releasing them for each row would take as long as encoding the
            // entry.
            let (encoder, list) = (Unmanaged.passUnretained(encoders[index]), Unmanaged.passUnretained(entries[index]))
            size += encoder._withUnsafeGuaranteedRef { encoder in
                list._withUnsafeGuaranteedRef { encoder.append(rowID, record, to: $0) }
            }
        }
    }
}

/// An index's entries for the rows of a block: integers as long as the values of all rows fit, then records.
final class EncodedEntries {
    /// Row IDs and keys, eight bytes each.
    @exclusivity(unchecked) private(set) var integers = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private(set) var integerCount = 0
    /// The entries of the rows after those.
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    /// For each entry, its end.
    @exclusivity(unchecked) private(set) var ends: [Int] = []

    /// The number of bytes of a row ID and a key.
    static let stride = 16

    /// Whether all entries so far are integers.
    var hasIntegersOnly: Bool { ends.isEmpty }

    func removeAll() {
        integerCount = 0
        ends.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    func add(_ rowID: Int64, key: UInt64) {
        let place = integerCount * Self.stride
        integers.reserve(place + Self.stride)
        integers.store(rowID, at: place)
        integers.store(key, at: place + 8)
        integerCount += 1
    }

    func add(_ record: borrowing RecordEncoder) {
        let start = ends.last ?? 0
        let end = start + record.size
        bytes.reserve(end)
        record.copy(0..<record.size, to: &bytes, at: start)
        ends.append(end)
    }
}

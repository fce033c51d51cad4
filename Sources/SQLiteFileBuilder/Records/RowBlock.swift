/// Rows that a `RowEncoder` has encoded, for `TableBuilder` to append: records, and what each index has of them.
///
/// Is handed from one thread to another, and belongs to one at a time.
public final class RowBlock: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private var recordBytes = 0
    /// How many bytes the rows and their entries have.
    @exclusivity(unchecked) public private(set) var size = 0
    @exclusivity(unchecked) private(set) var rowIDs: [Int64] = []
    /// By row, the end of its record.
    @exclusivity(unchecked) private(set) var ends: [Int] = []
    /// By index of the table.
    @exclusivity(unchecked) private(set) var entries: [EncodedEntries] = []

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
        if isLarge {
            bytes = ByteBuffer(capacity: 0)
            entries = []
        }
        for entries in entries { entries.removeAll() }
        (recordBytes, size) = (0, 0)
        rowIDs.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// - Parameter encoders: one for each index of the table.
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
            // The lists hold both: to count a reference of each row takes as long as its entry.
            let (encoder, list) = (Unmanaged.passUnretained(encoders[index]), Unmanaged.passUnretained(entries[index]))
            size += encoder._withUnsafeGuaranteedRef { encoder in
                list._withUnsafeGuaranteedRef { encoder.append(rowID, record, to: $0) }
            }
        }
    }
}

/// What an index has of the rows of a block: their integers as long as those of all rows fit, then records.
final class EncodedEntries {
    /// Row ids and keys, eight bytes each.
    @exclusivity(unchecked) private(set) var integers = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private(set) var integerCount = 0
    /// The entries of the rows behind those.
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    /// By entry, its end.
    @exclusivity(unchecked) private(set) var ends: [Int] = []

    /// The bytes of a row id and a key.
    static let stride = 16

    /// Whether all entries are integers so far.
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

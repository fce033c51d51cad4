/// Finds consecutive entries with equal keys. Keys that contain NULL are not equal to any other.
struct UniquenessCheck: ~Copyable {
    private let normalizer: KeyNormalizer
    private var last = ByteBuffer(capacity: 256)
    private var lastCount = 0
    private var lastRowID: Int64 = 0
    private var key = ByteBuffer(capacity: 256)

    init(_ normalizer: KeyNormalizer) {
        self.normalizer = normalizer
    }

    /// Returns the row of the previous entry if it has the same key as this one.
    mutating func earlierRow(_ record: borrowing ByteBuffer, _ range: Range<Int>) -> Int64? {
        let (count, hasNull) = normalizer.write(record, range, to: &key)
        guard !hasNull else {
            lastCount = 0
            return nil
        }
        if lastCount > 0, key.compare(0..<count, last, 0..<lastCount) == 0 { return lastRowID }
        swap(&key, &last)
        lastCount = count
        lastRowID = Self.rowID(record, range)
        return nil
    }

    /// Returns the row ID, which is the last value of an entry.
    static func rowID(_ record: borrowing ByteBuffer, _ range: Range<Int>) -> Int64 {
        let (headerSize, first) = record.loadVarint(at: range.lowerBound)
        var offset = range.lowerBound + first
        let end = range.lowerBound + Int(headerSize)
        var type: UInt64 = 0
        while offset < end {
            let (next, length) = record.loadVarint(at: offset)
            type = next
            offset += length
        }
        return SerialType.loadInteger(record, type, at: range.upperBound - SerialType.length(type))
    }
}

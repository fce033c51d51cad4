public import SQLiteAccess

/// The record of one row ("Database File Format", section 2.1), with the type and the place of each value.
///
/// Its memory is reused for the next row.
public final class StoredRecord {
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 1024)
    /// The number of bytes in use.
    @exclusivity(unchecked) private(set) var size = 0
    /// For each column, the type and the offset of its value.
    @exclusivity(unchecked) private var slots: [RecordEncoder.Slot] = []

    /// Creates a record without values, to be loaded later.
    public init() {}

    /// Returns the place of a value; columns after the last value are NULL.
    @inline(__always)
    func slot(_ column: Int) -> RecordEncoder.Slot {
        column < slots.count ? slots[column] : RecordEncoder.Slot(type: SerialType.null, start: 0)
    }

    /// Returns an integer; nil for all other values.
    public func integer(_ column: Int) -> Int64? {
        let slot = slot(column)
        return SerialType.isInteger(slot.type) ? SerialType.loadInteger(bytes, slot.type, at: slot.start) : nil
    }

    /// Returns a copy of a value.
    public func value(_ column: Int) -> SQLiteValue {
        let slot = slot(column)
        let range = slot.start..<slot.start + SerialType.length(slot.type)
        switch slot.type {
        case SerialType.null: return .null
        case SerialType.real: return .real(Double(bitPattern: bytes.load(at: slot.start)))
        case let type where SerialType.isInteger(type):
            return .integer(SerialType.loadInteger(bytes, type, at: slot.start))
        case let type where SerialType.isText(type): return .text(bytes.withBytes(range) { Array(copying: $0) })
        default: return .blob(bytes.withBytes(range) { Array(copying: $0) })
        }
    }

    /// Calls a closure with the bytes of the record.
    /// - Throws: the closure's error.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(0..<size, body)
    }

    /// Loads a record; returns false if the bytes are not a record.
    public func load(_ record: Span<UInt8>) -> Bool {
        bytes.reserve(record.count)
        bytes.copy(record, at: 0)
        size = record.count
        return takeApart()
    }

    /// Makes room for a record whose parts are filled in next.
    func prepare(_ count: Int) {
        bytes.reserve(count)
        size = count
    }

    func fill(_ other: borrowing ByteBuffer, _ range: Range<Int>, at offset: Int) {
        bytes.copy(other, range, at: offset)
    }

    /// Finds the values; returns false if the header does not fit the record.
    func takeApart() -> Bool {
        slots.removeAll(keepingCapacity: true)
        guard size > 0 else { return false }
        let (headerSize, first) = bytes.loadVarint(at: 0)
        guard headerSize <= UInt64(size) else { return false }
        var offset = first
        var start = Int(headerSize)
        while offset < Int(headerSize) {
            let (type, length) = bytes.loadVarint(at: offset)
            offset += length
            slots.append(RecordEncoder.Slot(type: type, start: start))
            guard type <= UInt64(UInt32.max) else { return false }
            start += SerialType.length(type)
        }
        return offset == Int(headerSize) && start == size
    }
}

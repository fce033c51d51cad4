public import SQLiteAccess

/// The record of one row ("Database File Format", section 2.1), taken apart: where each value lies, and of which type.
///
/// Its memory is used again for the next row.
public final class StoredRecord {
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 1024)
    /// Bytes in use.
    @exclusivity(unchecked) private(set) var size = 0
    /// By column, the type and the first byte of its value.
    @exclusivity(unchecked) private var slots: [RecordEncoder.Slot] = []

    /// Makes a record without values, to be loaded.
    public init() {}

    /// Where a value lies; columns behind the last value are NULL.
    @inline(__always)
    func slot(_ column: Int) -> RecordEncoder.Slot {
        column < slots.count ? slots[column] : RecordEncoder.Slot(type: SerialType.null, start: 0)
    }

    /// An integer; nil for all other values.
    public func integer(_ column: Int) -> Int64? {
        let slot = slot(column)
        return SerialType.isInteger(slot.type) ? SerialType.loadInteger(bytes, slot.type, at: slot.start) : nil
    }

    /// A value with bytes of its own.
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

    /// Calls a closure with the record's bytes.
    /// - Throws: what the closure throws.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(0..<size, body)
    }

    /// Takes a record over; false if the bytes are not a record.
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

    /// Finds the values; false where the header does not fit the record.
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

/// The types and places of the values in a record ("Database File Format", section 2.1).
public struct RecordValues: ~Copyable {
    /// For each value, its type in eight bytes, and the offsets of the type and of the value in four bytes each.
    private var slots: ByteBuffer
    private let columns: Int
    /// The number of values in the record that was read last.
    public private(set) var count = 0
    /// The offset after the type of the last value.
    private var typesEnd = 0

    /// Makes room for the places of a record's values.
    /// - Parameter columns: the number of values that are needed; further values are skipped.
    public init(columns: Int) {
        self.columns = columns
        slots = ByteBuffer(capacity: columns * 16)
    }

    /// Reads the header of a record; returns false if the record is damaged.
    @inline(__always)
    public mutating func read(_ bytes: Span<UInt8>) -> Bool {
        count = 0
        typesEnd = 0
        guard let (size, first) = bytes.varint(at: 0, before: bytes.count), size <= UInt64(bytes.count),
            size >= UInt64(first)
        else { return false }
        let end = Int(size)
        var offset = first
        var start = end
        while offset < end, count < columns {
            guard let (type, next) = bytes.varint(at: offset, before: end), type != 10, type != 11,
                type < UInt64(bytes.count) &* 2 &+ 14
            else { return false }
            slots.store(type, at: count * 16)
            slots.store(UInt64(truncatingIfNeeded: offset << 32 | start), at: count * 16 + 8)
            start += SerialType.length(type)
            guard start <= bytes.count else { return false }
            count += 1
            offset = next
        }
        typesEnd = offset
        return true
    }

    /// Returns the type of the value at a position, which must be less than `count`.
    @inline(__always)
    func type(_ position: Int) -> UInt64 { slots.load(at: position * 16) }

    /// Returns the offset of the value at a position, which must be less than `count`.
    @inline(__always)
    func start(_ position: Int) -> Int { Int(slots.load(UInt64.self, at: position * 16 + 8) & 0xffff_ffff) }

    /// Returns the bytes of the types of some values, at least one; their positions must be less than `count`.
    @inline(__always)
    func types(_ positions: Range<Int>) -> Range<Int> {
        func offset(_ position: Int) -> Int { Int(slots.load(UInt64.self, at: position * 16 + 8) >> 32) }
        return offset(positions.lowerBound)..<(positions.upperBound < count ? offset(positions.upperBound) : typesEnd)
    }

    /// Returns the bytes of the value at a position, which must be less than `count`.
    @inline(__always)
    func range(_ position: Int) -> Range<Int> {
        let start = start(position)
        return start..<start + SerialType.length(type(position))
    }

    /// Returns the integer at a position; nil if there is another value or none.
    @inline(__always)
    public func integer(_ position: Int, of bytes: Span<UInt8>) -> Int64? {
        guard position < count, SerialType.isInteger(type(position)) else { return nil }
        return SerialType.integer(of: type(position), bytes.extracting(range(position)))
    }

    /// Returns the number at a position as a real; 0 for all other values.
    @inline(__always)
    func real(_ position: Int, of bytes: Span<UInt8>) -> Double {
        guard position < count else { return 0 }
        guard type(position) == SerialType.real else { return Double(integer(position, of: bytes) ?? 0) }
        let bits = SerialType.integer(of: SerialType.real, bytes.extracting(range(position)))
        return Double(bitPattern: UInt64(bitPattern: bits))
    }
}

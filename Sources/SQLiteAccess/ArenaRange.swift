/// A range in an arena of bytes, of less than 4 GiB.
public struct ArenaRange: Equatable, Sendable {
    @usableFromInline let startBits: UInt32
    @usableFromInline let countBits: UInt32

    /// Makes a range from the offset of its first byte and its number of bytes; both must be below 4 GiB.
    @inlinable
    public init(start: Int, count: Int) {
        startBits = UInt32(truncatingIfNeeded: start)
        countBits = UInt32(truncatingIfNeeded: count)
    }

    /// The offset of the first byte.
    @inlinable public var start: Int { Int(startBits) }
    /// The number of bytes.
    @inlinable public var count: Int { Int(countBits) }
    /// The offsets of the bytes.
    @inlinable public var range: Range<Int> { unsafe Range(uncheckedBounds: (start, start + count)) }
}

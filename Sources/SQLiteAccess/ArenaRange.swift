/// A place in an arena of bytes, of less than 4 GiB.
public struct ArenaRange: Equatable, Sendable {
    @usableFromInline let startBits: UInt32
    @usableFromInline let countBits: UInt32

    @inlinable
    public init(start: Int, count: Int) {
        startBits = UInt32(truncatingIfNeeded: start)
        countBits = UInt32(truncatingIfNeeded: count)
    }

    @inlinable public var start: Int { Int(startBits) }
    @inlinable public var count: Int { Int(countBits) }
    @inlinable public var range: Range<Int> { unsafe Range(uncheckedBounds: (start, start + count)) }
}

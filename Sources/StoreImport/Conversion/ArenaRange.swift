/// A place in the arena of a batch.
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
    @inlinable public var range: Range<Int> { Range(uncheckedBounds: (start, start + count)) }
}

/// What a reader of property lists accepts before it calls its input hostile.
public struct PropertyListLimits: Hashable, Sendable {
    /// How deep containers may be nested; real files stay under 30.
    public var depth: Int
    /// How many values the whole may hold once every shared one is counted at each of its places.
    public var values: Int
    /// How many bytes of text and data it may hold, counted in the same way.
    public var payloadBytes: Int

    /// Makes limits of the depth, the number of values and the bytes that a property list may have.
    public init(depth: Int, values: Int, payloadBytes: Int) {
        self.depth = depth
        self.values = values
        self.payloadBytes = payloadBytes
    }

    /// Limits in proportion to the input: a real file spends at least one byte per value and seldom shares containers.
    public static func proportional(to byteCount: Int) -> PropertyListLimits {
        let bytes = min(byteCount, 1 << 40)
        return PropertyListLimits(
            depth: 512, values: 65_536 + 2 * bytes, payloadBytes: (16 << 20) + 256 * bytes)
    }
}

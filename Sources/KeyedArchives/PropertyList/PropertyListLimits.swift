/// The limits beyond which a reader of property lists treats its input as hostile.
public struct PropertyListLimits: Hashable, Sendable {
    /// The maximum depth of containers; real files stay below 30.
    public var depth: Int
    /// The maximum number of values, with shared ones counted at each use.
    public var values: Int
    /// The maximum number of bytes of text and data, counted in the same way.
    public var payloadBytes: Int

    /// Makes limits from the maximum depth, number of values and number of bytes.
    public init(depth: Int, values: Int, payloadBytes: Int) {
        self.depth = depth
        self.values = values
        self.payloadBytes = payloadBytes
    }

    /// Returns limits in proportion to the input: a real file has at least one byte per value, and seldom shares
    /// containers.
    public static func proportional(to byteCount: Int) -> PropertyListLimits {
        let bytes = min(byteCount, 1 << 40)
        return PropertyListLimits(
            depth: 512, values: 65_536 + 2 * bytes, payloadBytes: (16 << 20) + 256 * bytes)
    }
}

/// How much a YAML document may demand of its reader.
public struct YAMLReadingLimits: Sendable, Hashable {
    /// The size of the document in bytes; 16 MiB unless told.
    public var maximumSize: Int

    /// How deep sequences and mappings may be nested, aliases counted as what they stand for; 100 unless told.
    public var maximumDepth: Int

    /// The number of nodes, aliases counted as what they stand for; 1 000 000 unless told.
    public var maximumNodeCount: Int

    /// Limits that suit documents that people write, or others.
    public init(maximumSize: Int = 16 << 20, maximumDepth: Int = 100, maximumNodeCount: Int = 1_000_000) {
        self.maximumSize = maximumSize
        self.maximumDepth = maximumDepth
        self.maximumNodeCount = maximumNodeCount
    }
}

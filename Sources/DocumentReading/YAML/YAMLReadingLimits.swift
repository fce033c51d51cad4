/// Limits on the resources that a YAML document may use.
public struct YAMLReadingLimits: Sendable, Hashable {
    /// The maximum size of the document in bytes; 16 MiB by default.
    public var maximumSize: Int

    /// The maximum depth of sequences and mappings, with aliases expanded; 100 by default.
    public var maximumDepth: Int

    /// The maximum number of nodes, with aliases expanded; 1 000 000 by default.
    public var maximumNodeCount: Int

    /// Makes limits; the defaults suit documents that people write.
    public init(maximumSize: Int = 16 << 20, maximumDepth: Int = 100, maximumNodeCount: Int = 1_000_000) {
        self.maximumSize = maximumSize
        self.maximumDepth = maximumDepth
        self.maximumNodeCount = maximumNodeCount
    }
}

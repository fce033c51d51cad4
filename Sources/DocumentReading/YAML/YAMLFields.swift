/// The entries of a YAML mapping whose keys are all known.
public struct YAMLFields: Sendable {
    /// The mapping that the entries are of.
    public let node: YAMLNode
    private let entries: [YAMLEntry]

    init(node: YAMLNode, entries: [YAMLEntry]) {
        self.node = node
        self.entries = entries
    }

    /// The value of a key; nil if the mapping does not have it.
    public subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    /// The keys, in the order of the document.
    public var keys: [String] { entries.map(\.key) }

    /// Whether the mapping has a key, whatever its value.
    public func has(_ key: String) -> Bool { self[key] != nil }

    /// Where a key stands; the whole node where it does not.
    public func location(_ key: String) -> SourceLocation {
        entries.first { $0.key == key }?.keyLocation ?? node.location
    }
}

/// The entries of a YAML mapping with known keys.
public struct YAMLFields: Sendable {
    /// The mapping of the entries.
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

    /// Returns whether the mapping has a key, whatever its value.
    public func has(_ key: String) -> Bool { self[key] != nil }

    /// Returns the location of a key; that of the whole node if the key is missing.
    public func location(_ key: String) -> SourceLocation {
        entries.first { $0.key == key }?.keyLocation ?? node.location
    }
}

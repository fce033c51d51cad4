/// The entries of a YAML mapping whose keys are all known.
public struct YAMLFields: Sendable {
    public let node: YAMLNode
    private let entries: [YAMLEntry]

    init(node: YAMLNode, entries: [YAMLEntry]) {
        self.node = node
        self.entries = entries
    }

    public subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    public var keys: [String] { entries.map(\.key) }

    public func has(_ key: String) -> Bool { self[key] != nil }

    /// Where a key stands; the whole node where it does not.
    public func location(_ key: String) -> SourceLocation {
        entries.first { $0.key == key }?.keyLocation ?? node.location
    }
}

internal import DocumentReading

/// The entries of a mapping node whose keys are all known.
struct MappingFields {
    let node: YAMLNode
    private let entries: [YAMLEntry]

    init(node: YAMLNode, entries: [YAMLEntry]) {
        self.node = node
        self.entries = entries
    }

    subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    var keys: [String] { entries.map(\.key) }

    func has(_ key: String) -> Bool { self[key] != nil }

    /// Where a key stands; the whole node where it does not.
    func location(_ key: String) -> SourceLocation {
        entries.first { $0.key == key }?.keyLocation ?? node.location
    }
}

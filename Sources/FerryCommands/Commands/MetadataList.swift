import DocumentReading
import KeyedArchives

/// Reads lists and dictionaries of metadata on the command line: JSON, which is parsed as YAML.
enum MetadataList {
    /// Larger than an argument on a command line can be.
    private static let limits = YAMLReadingLimits(maximumSize: 1 << 20, maximumDepth: 32, maximumNodeCount: 100_000)

    /// Returns the array that an argument stands for; nil if it is something else, or has a value that metadata cannot
    /// have.
    static func array(_ word: String) -> PropertyListValue? {
        guard let root = root(of: word), case .sequence = root.content else { return nil }
        return value(root)
    }

    /// Returns the dictionary that an argument stands for; nil if it is something else, or has a value that metadata
    /// cannot have.
    static func dictionary(_ word: String) -> PropertyListValue? {
        // A YAML mapping without braces may be meant as a text.
        guard word.drop(while: \.isWhitespace).first == "{", let root = root(of: word), case .mapping = root.content
        else { return nil }
        return value(root)
    }

    private static func root(of word: String) -> YAMLNode? {
        try? YAMLDocument(bytes: Array(word.utf8), name: "VALUE", limits: limits).root
    }

    private static func value(_ node: YAMLNode) -> PropertyListValue? {
        switch node.content {
        case .scalar(let text, .plain):
            // Property lists have no null.
            ["", "~", "null"].contains(text) ? nil : MetadataValueType.inferred(text)
        case .scalar(let text, _): .string(text)
        case .sequence(let nodes): array(nodes)
        case .mapping(let entries): dictionary(entries)
        }
    }

    private static func array(_ nodes: [YAMLNode]) -> PropertyListValue? {
        let values = nodes.compactMap(value)
        return values.count == nodes.count ? .array(values) : nil
    }

    private static func dictionary(_ entries: [YAMLEntry]) -> PropertyListValue? {
        var values = PropertyListDictionary()
        for entry in entries {
            guard let value = value(entry.value) else { return nil }
            values[entry.key] = value
        }
        return .dictionary(values)
    }
}

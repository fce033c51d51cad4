import DocumentReading
import KeyedArchives

/// Lists and dictionaries of metadata on the command line: JSON, which is read as the YAML that it is.
enum MetadataList {
    /// More than a word of a command line can hold.
    private static let limits = YAMLReadingLimits(maximumSize: 1 << 20, maximumDepth: 32, maximumNodeCount: 100_000)

    /// The array that a word stands for; nil if it is something else, or has a value that metadata cannot hold.
    static func array(_ word: String) -> PropertyListValue? {
        guard let root = root(of: word), case .sequence = root.content else { return nil }
        return value(root)
    }

    /// The dictionary that a word stands for; nil if it is something else, or has a value that metadata cannot hold.
    static func dictionary(_ word: String) -> PropertyListValue? {
        // What YAML has without braces may be meant as a text.
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
            // A property list has no null.
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

/// The values of nodes in YAML 1.2's core schema: only plain scalars without a tag can be anything but text.
extension YAMLNode {
    /// The text of a scalar of any style; nil for other nodes.
    public var text: String? {
        if case .scalar(let text, _) = content { return text }
        return nil
    }

    /// The nodes of a sequence; nil for other nodes.
    public var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = content { return nodes }
        return nil
    }

    /// The entries of a mapping; nil for other nodes.
    public var mapping: [YAMLEntry]? {
        if case .mapping(let entries) = content { return entries }
        return nil
    }

    /// The value of a mapping's key; nil if there is no such key, or the node is not a mapping. A linear search.
    public subscript(key: String) -> YAMLNode? {
        mapping?.first { $0.key == key }?.value
    }

    /// Whether the node is `null`, `~` or empty.
    public var isNull: Bool {
        guard let text = plainText else { return false }
        return text.isEmpty || text == "~" || text == "null" || text == "Null" || text == "NULL"
    }

    /// The Boolean `true` or `false`, in lower case, capitalized or in upper case; nil for anything else.
    public var boolean: Bool? {
        switch plainText {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    /// A decimal integer, or one after `0x` or `0o`; nil for anything else, or beyond 64 bits.
    public var integer: Int64? {
        guard let text = plainText else { return nil }
        if text.hasPrefix("0x") { return text.dropFirst(2).first == "-" ? nil : Int64(text.dropFirst(2), radix: 16) }
        if text.hasPrefix("0o") { return text.dropFirst(2).first == "-" ? nil : Int64(text.dropFirst(2), radix: 8) }
        return Int64(text)
    }

    /// A number, `.inf`, `-.inf` or `.nan`; nil for anything else.
    public var number: Double? {
        switch plainText {
        case nil: return nil
        case ".inf", "+.inf", ".Inf", "+.Inf", ".INF", "+.INF": return .infinity
        case "-.inf", "-.Inf", "-.INF": return -.infinity
        case ".nan", ".NaN", ".NAN": return .nan
        case let text?:
            // Swift also parses hexadecimal floats, "inf" and "nan", which YAML does not allow.
            let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            return isNumber ? Double(text) : nil
        }
    }

    private var plainText: String? {
        if case .scalar(let text, .plain) = content, tag == nil { return text }
        return nil
    }
}

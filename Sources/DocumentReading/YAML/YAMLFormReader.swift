import TextEncodings

/// Takes the nodes of a YAML document for what they have to be, and collects all that is wrong with them.
///
/// A function that returns nil has reported why.
public protocol YAMLFormReader {
    /// The document that is read, for the lines that errors show.
    var document: YAMLDocument { get }

    /// What is wrong, in the order in which it was found.
    var problems: [DocumentError] { get set }
}

/// Whoever reads a hundred errors has read enough.
private let largestProblemCount = 100

extension YAMLFormReader {
    /// Adds an error with the line in question, unless the same one is known or there are very many.
    public mutating func report(_ sentence: String, at location: SourceLocation) {
        guard problems.count < largestProblemCount else { return }
        // What an anchor stands for is read again at each alias.
        let isKnown = problems.contains { $0.location == location && $0.detail == sentence }
        if !isKnown { problems.append(document.error(sentence, at: location)) }
    }

    /// The entries of a mapping node; another node is reported, and nil. A key that is not known is reported, and the
    /// others are read on.
    ///
    /// - Parameters:
    ///   - node: the mapping.
    ///   - what: what the mapping is, as the subject of a sentence.
    ///   - keys: the keys that are known.
    ///   - hint: what is said of an unknown key that is near to no known one.
    public mutating func fields(
        of node: YAMLNode, what: String, keys: [String], hint: String = ""
    ) -> YAMLFields? {
        guard let entries = entries(of: node, what: what) else { return nil }
        for entry in entries where !keys.contains(entry.key) {
            let suggestion = NearestName.find(entry.key, among: keys).map { "; did you mean \"\($0)\"?" }
            report("\(what) has no key \"\(entry.key)\"" + (suggestion ?? hint), at: entry.keyLocation)
        }
        return YAMLFields(node: node, entries: entries)
    }

    /// The entries of a mapping, whatever their keys; a node of another kind is reported, and nil.
    public mutating func entries(of node: YAMLNode, what: String) -> [YAMLEntry]? {
        guard let entries = node.mapping else {
            report("\(what) must be keys with values, written as \"key: value\"", at: node.location)
            return nil
        }
        return entries
    }

    /// The items of a list; a node of another kind is reported, and nil, as is an empty list unless it is allowed.
    public mutating func list(of node: YAMLNode, what: String, allowsEmpty: Bool = false) -> [YAMLNode]? {
        guard let nodes = node.sequence else {
            report("\(what) must be a list, each item after \"- \"", at: node.location)
            return nil
        }
        guard allowsEmpty || !nodes.isEmpty else {
            report("\(what) has no items; add one, or remove the key", at: node.location)
            return nil
        }
        return nodes
    }

    /// A text; numbers and flags count as they are written. Anything else is reported, and nil, as is an empty text
    /// unless it is allowed.
    public mutating func text(_ node: YAMLNode, what: String, allowsEmpty: Bool = false) -> String? {
        guard let text = node.text else {
            report("\(what) must be a single value", at: node.location)
            return nil
        }
        guard !node.isNull, allowsEmpty || !text.isEmpty else {
            report("\(what) is missing; write it after the colon, or remove the key", at: node.location)
            return nil
        }
        return text
    }

    /// A text or a list of texts, as a list; anything else is reported, and nil.
    public mutating func texts(_ node: YAMLNode, what: String, allowsEmpty: Bool = false) -> [String]? {
        guard node.sequence != nil else { return text(node, what: what, allowsEmpty: allowsEmpty).map { [$0] } }
        guard let nodes = list(of: node, what: what) else { return nil }
        var texts: [String] = []
        for node in nodes {
            guard let text = text(node, what: what, allowsEmpty: allowsEmpty) else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// A plain `true` or `false`; anything else is reported, and nil.
    public mutating func boolean(_ node: YAMLNode, what: String) -> Bool? {
        guard let value = node.boolean else {
            report("\(what) must be true or false", at: node.location)
            return nil
        }
        return value
    }

    /// The value of one of some words; any other word is reported, and nil.
    public mutating func choice<Value>(_ node: YAMLNode, what: String, _ words: [(String, Value)]) -> Value? {
        guard let text = text(node, what: what) else { return nil }
        if let found = words.first(where: { $0.0 == text }) { return found.1 }
        let names = words.map(\.0)
        let suggestion = NearestName.find(text, among: names).map { "did you mean \"\($0)\"?" }
        let all = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
        report("\(what) cannot be \"\(text)\"; " + (suggestion ?? "write \(all)"), at: node.location)
        return nil
    }

    /// One of an enumeration's raw values; anything else is reported, and nil.
    public mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ node: YAMLNode, what: String
    ) -> Value? {
        choice(node, what: what, Value.allCases.map { ($0.rawValue, $0) })
    }
}

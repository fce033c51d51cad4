import TextEncodings

/// Converts the nodes of a YAML document to the expected types, and collects errors.
///
/// A function that returns nil has reported the reason.
public protocol YAMLFormReader {
    /// The document that is read, for excerpts in errors.
    var document: YAMLDocument { get }

    /// The errors, in the order in which they were found.
    var problems: [DocumentError] { get set }
}

/// The maximum number of errors: more are not useful to a reader.
private let largestProblemCount = 100

extension YAMLFormReader {
    /// Adds an error with an excerpt, unless it is known already or there are too many.
    public mutating func report(_ sentence: String, at location: SourceLocation) {
        guard problems.count < largestProblemCount else { return }
        // The node of an anchor is read again for each alias.
        let isKnown = problems.contains { $0.location == location && $0.detail == sentence }
        if !isKnown { problems.append(document.error(sentence, at: location)) }
    }

    /// Returns the entries of a mapping node; reports any other node, and returns nil. Unknown keys are reported and
    /// skipped.
    ///
    /// - Parameters:
    ///   - node: the mapping.
    ///   - what: a name for the mapping, as the subject of a sentence.
    ///   - keys: the known keys.
    ///   - hint: the text for an unknown key that is not similar to a known one.
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

    /// Returns the entries of a mapping with any keys; reports any other node, and returns nil.
    public mutating func entries(of node: YAMLNode, what: String) -> [YAMLEntry]? {
        guard let entries = node.mapping else {
            report("\(what) must be keys with values, written as \"key: value\"", at: node.location)
            return nil
        }
        return entries
    }

    /// Returns the items of a list; reports any other node, or an empty list unless it is allowed, and returns nil.
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

    /// Returns a text, including numbers and flags as written; reports anything else, or an empty text unless it is
    /// allowed, and returns nil.
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

    /// Returns a text or a list of texts, as a list; reports anything else, and returns nil.
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

    /// Returns a plain `true` or `false`; reports anything else, and returns nil.
    public mutating func boolean(_ node: YAMLNode, what: String) -> Bool? {
        guard let value = node.boolean else {
            report("\(what) must be true or false", at: node.location)
            return nil
        }
        return value
    }

    /// Returns the value for one of some words; reports any other word, and returns nil.
    public mutating func choice<Value>(_ node: YAMLNode, what: String, _ words: [(String, Value)]) -> Value? {
        guard let text = text(node, what: what) else { return nil }
        if let found = words.first(where: { $0.0 == text }) { return found.1 }
        let names = words.map(\.0)
        let suggestion = NearestName.find(text, among: names).map { "did you mean \"\($0)\"?" }
        let all = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
        report("\(what) cannot be \"\(text)\"; " + (suggestion ?? "write \(all)"), at: node.location)
        return nil
    }

    /// Returns the case for one of an enumeration's raw values; reports anything else, and returns nil.
    public mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ node: YAMLNode, what: String
    ) -> Value? {
        choice(node, what: what, Value.allCases.map { ($0.rawValue, $0) })
    }
}

internal import DocumentReading
import TextEncodings

/// Converts the nodes of a file of silences to entries, and collects errors.
struct LintSilenceParser {
    private let document: YAMLDocument
    private(set) var problems: [DocumentError] = []

    init(_ document: YAMLDocument) {
        self.document = document
    }

    mutating func entries() -> [LintSilence] {
        let root = document.root
        guard let mapping = root.mapping else {
            refuse("this must be a mapping with the key \"silence\"", at: root.location)
            return []
        }
        for entry in mapping where entry.key != "silence" {
            refuse("the key \"\(entry.key)\" is not known; the only key is \"silence\"", at: entry.keyLocation)
        }
        guard let list = root["silence"] else {
            refuse("the key \"silence\" is missing", at: root.location)
            return []
        }
        if list.isNull { return [] }
        guard let nodes = list.sequence else {
            refuse("this must be a list of entries, each with a code and a reason", at: list.location)
            return []
        }
        return nodes.compactMap { entry($0) }
    }

    private static let keys = ["code", "entity", "property", "version", "reason"]

    private mutating func entry(_ node: YAMLNode) -> LintSilence? {
        guard let mapping = node.mapping else {
            refuse("an entry must be a mapping with a code and a reason", at: node.location)
            return nil
        }
        for entry in mapping where !Self.keys.contains(entry.key) {
            let meant = NearestName.find(entry.key, among: Self.keys).map { "; did you mean \($0)?" } ?? ""
            refuse("the key \"\(entry.key)\" is not known\(meant)", at: entry.keyLocation)
        }
        let code = text("code", of: node).flatMap { word -> LintCode? in
            guard let code = LintCode(rawValue: word) else {
                refuse("there is no code \"\(word)\"", at: node["code"]?.location ?? node.location)
                return nil
            }
            return code
        }
        let reason = text("reason", of: node)
        if node["code"] == nil { refuse("the entry has no code", at: node.location) }
        if node["reason"] == nil {
            refuse("the entry has no reason; say why the finding is left", at: node.location)
        }
        let (entity, property) = (text("entity", of: node), text("property", of: node))
        let version = text("version", of: node)
        guard let code, let reason else { return nil }
        return LintSilence(
            code: code, entity: entity, property: property, version: version, reason: reason,
            line: node.location.line)
    }

    /// Returns the text of a key; an empty text is an error.
    private mutating func text(_ key: String, of node: YAMLNode) -> String? {
        guard let value = node[key] else { return nil }
        guard let text = value.text, !text.allSatisfy(\.isWhitespace), !value.isNull else {
            refuse("\"\(key)\" must be a string", at: value.location)
            return nil
        }
        return text
    }

    private mutating func refuse(_ sentence: String, at location: SourceLocation) {
        problems.append(document.error(sentence, at: location))
    }
}

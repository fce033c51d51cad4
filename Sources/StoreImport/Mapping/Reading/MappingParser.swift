internal import DocumentReading

/// Translates the nodes of a YAML document into an import mapping, and collects what is wrong with them.
///
/// A function that returns nil has reported why.
struct MappingParser {
    private let document: YAMLDocument
    private(set) var problems: [DocumentError] = []
    private(set) var locations: [MappingPlace: SourceLocation] = [:]

    /// What the source that is read and the whole file say of values.
    var inheritedSettings = ConversionSettings()
    /// The objects of the source that is read, with where each is written.
    var objects: [(mapping: ObjectMapping, location: SourceLocation)] = []
    /// The ids that relationships and parts refer to, with where.
    var references: [(id: String, location: SourceLocation)] = []

    /// Whoever reads a hundred errors has read enough.
    private static let largestProblemCount = 100

    init(_ document: YAMLDocument) {
        self.document = document
    }

    // MARK: Problems and places

    mutating func report(_ sentence: String, at location: SourceLocation) {
        guard problems.count < Self.largestProblemCount else { return }
        // What an anchor stands for is read again at each alias.
        let isKnown = problems.contains { $0.location == location && $0.detail == sentence }
        if !isKnown { problems.append(document.error(sentence, at: location)) }
    }

    mutating func note(_ place: MappingPlace, at location: SourceLocation) {
        if locations[place] == nil { locations[place] = location }
    }

    /// Notes where each key stands, as a part of a place.
    mutating func note(_ fields: MappingFields, in place: MappingPlace) {
        for key in fields.keys { note(place.key(key), at: fields.location(key)) }
    }

    // MARK: Nodes of one form

    /// The entries of a mapping node; a key that is not known is reported, and the other entries are read on.
    mutating func fields(of node: YAMLNode, what: String, keys: [String], hint: String = "") -> MappingFields? {
        guard let entries = entries(of: node, what: what) else { return nil }
        for entry in entries where !keys.contains(entry.key) {
            let suggestion = NearestName.find(entry.key, among: keys).map { "; did you mean \"\($0)\"?" }
            report("\(what) has no key \"\(entry.key)\"" + (suggestion ?? hint), at: entry.keyLocation)
        }
        return MappingFields(node: node, entries: entries)
    }

    mutating func entries(of node: YAMLNode, what: String) -> [YAMLEntry]? {
        guard let entries = node.mapping else {
            report("\(what) must be keys with values, written as \"key: value\"", at: node.location)
            return nil
        }
        return entries
    }

    mutating func list(of node: YAMLNode, what: String) -> [YAMLNode]? {
        guard let nodes = node.sequence else {
            report("\(what) must be a list, each item behind \"- \"", at: node.location)
            return nil
        }
        guard !nodes.isEmpty else {
            report("\(what) has no items; add one, or remove the key", at: node.location)
            return nil
        }
        return nodes
    }

    /// A text; numbers and flags count as they are written.
    mutating func text(_ node: YAMLNode, what: String, allowsEmpty: Bool = false) -> String? {
        guard let text = node.text else {
            report("\(what) must be a single text", at: node.location)
            return nil
        }
        guard !node.isNull, allowsEmpty || !text.isEmpty else {
            report("\(what) is missing; write it behind the colon, or remove the key", at: node.location)
            return nil
        }
        return text
    }

    /// A text or a list of texts.
    mutating func texts(_ node: YAMLNode, what: String, allowsEmpty: Bool = false) -> [String]? {
        guard node.sequence != nil else { return text(node, what: what, allowsEmpty: allowsEmpty).map { [$0] } }
        guard let nodes = list(of: node, what: what) else { return nil }
        var texts: [String] = []
        for node in nodes {
            guard let text = text(node, what: what, allowsEmpty: allowsEmpty) else { return nil }
            texts.append(text)
        }
        return texts
    }

    mutating func boolean(_ node: YAMLNode, what: String) -> Bool? {
        guard let value = node.boolean else {
            report("\(what) must be true or false", at: node.location)
            return nil
        }
        return value
    }

    mutating func count(_ node: YAMLNode, what: String) -> Int? {
        guard let value = node.integer, value >= 0, let count = Int(exactly: value) else {
            report("\(what) must be a number from 0 on", at: node.location)
            return nil
        }
        return count
    }

    /// One of some words.
    mutating func choice<Value>(_ node: YAMLNode, what: String, _ words: [(String, Value)]) -> Value? {
        guard let text = text(node, what: what) else { return nil }
        if let found = words.first(where: { $0.0 == text }) { return found.1 }
        let names = words.map(\.0)
        let suggestion = NearestName.find(text, among: names).map { "did you mean \"\($0)\"?" }
        let all = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
        report("\(what) cannot be \"\(text)\"; " + (suggestion ?? "write \(all)"), at: node.location)
        return nil
    }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(_ node: YAMLNode, what: String) -> Value? {
        choice(node, what: what, Value.allCases.map { ($0.rawValue, $0) })
    }

    // MARK: The document

    mutating func mapping() -> ImportMapping? {
        let root = document.root
        let keys = MappingKeys.file + MappingKeys.source + MappingKeys.object
        guard entries(of: root, what: "an import mapping") != nil, checkFormat(),
            let fields = fields(of: root, what: "an import mapping", keys: keys)
        else { return nil }
        note(MappingPlace(), at: root.location)
        var mapping = ImportMapping(sources: [])
        if let node = fields["settings"] {
            mapping.settings = settings(of: node, at: MappingPlace())
            inheritedSettings = mapping.settings
        }
        guard let node = fields["sources"] else {
            // A file for one source has the source's keys at its top.
            guard let source = source(fields, index: 0, isWholeFile: true) else { return nil }
            mapping.sources = [source]
            return mapping
        }
        for key in MappingKeys.source + MappingKeys.object where key != "settings" && fields.has(key) {
            report("\"\(key)\" belongs into one of the sources", at: fields.location(key))
        }
        guard let nodes = list(of: node, what: "\"sources\"") else { return nil }
        for (index, node) in nodes.enumerated() {
            let keys = MappingKeys.source + MappingKeys.object
            guard let fields = self.fields(of: node, what: "a source", keys: keys) else { continue }
            if let source = source(fields, index: index, isWholeFile: false) { mapping.sources.append(source) }
        }
        return mapping
    }

    /// Whether the document is an import mapping at all.
    private mutating func checkFormat() -> Bool {
        let number = ImportMappingReader.formatNumber
        guard let node = document.root["import"] else {
            let isMappingModel = document.root["mapping"] != nil
            let reason = isMappingModel ? "this is a mapping model for migrations; " : ""
            report("\(reason)an import mapping begins with \"import: \(number)\"", at: document.root.location)
            return false
        }
        guard node.integer == Int64(number) else {
            let found = node.text ?? ""
            report("the format \"\(found)\" is not known; this program reads \"import: \(number)\"", at: node.location)
            return false
        }
        return true
    }
}

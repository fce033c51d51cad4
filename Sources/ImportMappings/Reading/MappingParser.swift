internal import DocumentReading
import RecordConversion

/// Translates the nodes of a YAML document into an import mapping, and collects errors.
///
/// A function that returns nil has reported the reason.
struct MappingParser: YAMLFormReader {
    let document: YAMLDocument
    var problems: [DocumentError] = []
    private(set) var locations: [MappingPlace: SourceLocation] = [:]

    /// The settings for values of the current source and of the whole file.
    var inheritedSettings = ConversionSettings()
    /// The objects of the current source, with their locations.
    var objects: [(mapping: ObjectMapping, location: SourceLocation)] = []
    /// The ids to which relationships and parts refer, with their locations.
    var references: [(id: String, location: SourceLocation)] = []

    init(_ document: YAMLDocument) {
        self.document = document
    }

    // MARK: Problems and places

    mutating func note(_ place: MappingPlace, at location: SourceLocation) {
        if locations[place] == nil { locations[place] = location }
    }

    /// Records the location of each key in a part.
    mutating func note(_ fields: YAMLFields, in place: MappingPlace) {
        for key in fields.keys { note(place.key(key), at: fields.location(key)) }
    }

    mutating func count(_ node: YAMLNode, what: String) -> Int? {
        guard let value = node.integer, value >= 0, let count = Int(exactly: value) else {
            report("\(what) must be a whole number, 0 or more", at: node.location)
            return nil
        }
        return count
    }

    // MARK: The document

    mutating func mapping() -> ImportMapping? {
        let root = document.root
        let keys = MappingKeys.file + MappingKeys.source + MappingKeys.object
        guard entries(of: root, what: "an import mapping") != nil, checkFormat(),
            let fields = fields(of: root, what: "an import mapping", keys: keys, hint: Self.hint(root))
        else { return nil }
        note(MappingPlace(), at: root.location)
        var mapping = ImportMapping(sources: [])
        if let node = fields["settings"] {
            mapping.settings = settings(of: node, at: MappingPlace())
            inheritedSettings = mapping.settings
        }
        guard let node = fields["sources"] else {
            // A file for a single source has the source's keys at the top level.
            guard let source = source(fields, index: 0, isWholeFile: true) else { return nil }
            mapping.sources = [source]
            return mapping
        }
        for key in MappingKeys.source + MappingKeys.object where key != "settings" && fields.has(key) {
            report("\"\(key)\" belongs in one of the sources", at: fields.location(key))
        }
        guard let nodes = list(of: node, what: "\"sources\"") else { return nil }
        for (index, node) in nodes.enumerated() {
            let keys = MappingKeys.source + MappingKeys.object
            guard let fields = self.fields(of: node, what: "a source", keys: keys, hint: Self.hint(node)) else {
                continue
            }
            if let source = source(fields, index: index, isWholeFile: false) { mapping.sources.append(source) }
        }
        return mapping
    }

    /// Returns the hint for a key of relationships' objects in a place where the source has another one.
    private static func hint(_ source: YAMLNode) -> String {
        source["each"] == nil ? "" : "; what of a document are records is said by \"records\""
    }

    /// Returns whether the document is an import mapping.
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

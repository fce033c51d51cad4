internal import DocumentReading
import RecordConversion
import RecordSources

extension MappingParser {
    /// Returns a source; if it is the whole file, the settings at the top level are those of the mapping.
    mutating func source(_ fields: YAMLFields, index: Int, isWholeFile: Bool) -> SourceMapping? {
        let place = MappingPlace(source: index)
        note(place, at: fields.node.location)
        let surroundings = inheritedSettings
        defer { inheritedSettings = surroundings }

        var source = SourceMapping(name: "", objects: [])
        if let node = fields["files"] { source.files = files(node) }
        source.format = format(fields)
        source.name =
            fields["name"].flatMap { text($0, what: "\"name\"") }
            ?? source.files.first ?? source.format.table ?? "source \(index + 1)"
        if !isWholeFile, let node = fields["settings"] {
            source.settings = settings(of: node, at: place)
            inheritedSettings = source.settings.inheriting(surroundings)
        }
        if let node = fields["where"] {
            source.filter = filter(node)
        }
        note(fields, in: place)
        objects = []
        references = []
        readObjects(fields, source: index)
        checkReferences()
        source.objects = objects.map(\.mapping)
        return source.objects.isEmpty ? nil : source
    }

    private mutating func files(_ node: YAMLNode) -> [String] {
        (texts(node, what: "\"files\"") ?? []).map { pattern in
            // As written in a shell: a file in the same folder.
            pattern.hasPrefix("./") ? String(pattern.dropFirst(2)) : pattern
        }
    }

    private mutating func readObjects(_ fields: YAMLFields, source: Int) {
        guard let node = fields["objects"] else {
            _ = object(fields, source: source, isRecord: true)
            return
        }
        for key in MappingKeys.object where fields.has(key) {
            report("\"\(key)\" belongs in one of the \"objects\"", at: fields.location(key))
        }
        for node in list(of: node, what: "\"objects\"") ?? [] {
            let keys = MappingKeys.nestedObject + MappingKeys.object
            guard let fields = self.fields(of: node, what: "an object", keys: keys) else { continue }
            _ = object(fields, source: source, isRecord: false)
        }
    }

    // MARK: The format

    private mutating func format(_ fields: YAMLFields) -> SourceFormat {
        var format = SourceFormat()
        if let node = fields["format"] { format.kind = choice(node, what: "\"format\"") }
        checkKeys(fields, kind: format.kind)
        format.delimiter = fields["delimiter"].flatMap { delimiter($0, what: "\"delimiter\"") }
        format.quote = fields["quote"].flatMap { character($0, what: "\"quote\"") }
        format.escape = fields["escape"].flatMap { character($0, what: "\"escape\"") }
        if let node = fields["newline"] {
            format.newline = choice(
                node, what: "\"newline\"", [("any", .any), ("lf", .lineFeed), ("cr", .carriageReturn)])
        }
        format.hasHeader = fields["header"].flatMap { boolean($0, what: "\"header\"") }
        format.columns = fields["columns"].flatMap { columns($0) }
        format.comment = fields["comment"].flatMap { character($0, what: "\"comment\"") }
        format.encoding = fields["encoding"].flatMap { text($0, what: "\"encoding\"") }
        format.skippedLines = fields["skipLines"].flatMap { count($0, what: "\"skipLines\"") } ?? 0
        format.allowsRaggedRecords = fields["ragged"].flatMap { boolean($0, what: "\"ragged\"") } ?? false
        format.layout = fields["layout"].flatMap { choice($0, what: "\"layout\"") }
        format.records = fields["records"].flatMap { text($0, what: "\"records\"") }
        if let node = fields["namespaces"] { format.namespaces = namespaces(node) }
        format.table = fields["table"].flatMap { text($0, what: "\"table\"") }
        format.query = fields["query"].flatMap { text($0, what: "\"query\"") }
        for key in RecordFormats.all.flatMap(\.ownKeys) {
            format.texts[key] = fields[key].flatMap { text($0, what: "\"\(key)\"") }
        }
        return format
    }

    /// Reports keys for another format than the one that is given, or indicated by other keys.
    private mutating func checkKeys(_ fields: YAMLFields, kind: SourceFormat.Kind?) {
        if fields.has("table") && fields.has("query") {
            report("\"query\" and \"table\" exclude each other; remove one", at: fields.location("query"))
        }
        let keys = MappingKeys.source.filter { key in
            fields.has(key) && RecordFormats.all.contains { $0.keys.contains(key) }
        }
        if let kind {
            for key in keys where !kind.format.keys.contains(key) {
                report("\"\(key)\" is not for the format \(kind.rawValue); remove it", at: fields.location(key))
            }
        } else if !RecordFormats.all.contains(where: { format in keys.allSatisfy(format.keys.contains) }) {
            let list = keys.map { "\"\($0)\"" }.joined(separator: ", ")
            report("\(list) are keys of different formats; name the \"format\"", at: fields.location(keys[0]))
        }
    }

    mutating func delimiter(_ node: YAMLNode, what: String) -> String? {
        guard let text = text(node, what: what) else { return nil }
        return DelimitedOptions.delimiterNames.first { $0.name == text }?.text ?? text
    }

    /// Returns one ASCII character; an empty text for `none`.
    private mutating func character(_ node: YAMLNode, what: String) -> String? {
        guard let text = text(node, what: what, allowsEmpty: true) else { return nil }
        if text == "none" || text.isEmpty { return "" }
        guard text.utf8.count == 1 else {
            report("\(what) must be one ASCII character, or none", at: node.location)
            return nil
        }
        return text
    }

    private mutating func columns(_ node: YAMLNode) -> [String]? {
        guard let names = texts(node, what: "\"columns\"") else { return nil }
        if let double = firstDouble(in: names) {
            report("\"columns\" names \"\(double)\" twice", at: node.location)
        }
        return names
    }

    func firstDouble(in names: [String]) -> String? {
        var known = Set<String>()
        return names.first { !known.insert($0).inserted }
    }

    private mutating func namespaces(_ node: YAMLNode) -> [String: String] {
        var namespaces: [String: String] = [:]
        for entry in entries(of: node, what: "\"namespaces\"") ?? [] {
            namespaces[entry.key] = text(entry.value, what: "the namespace of \"\(entry.key)\"")
        }
        return namespaces
    }
}

import RecordConversion
import RecordSources

/// Writes the part of a mapping file for one source.
struct SourceMappingWriter {
    private let source: SourceMapping
    private let index: Int
    private let comments: [MappingPlace: MappingComment]
    /// The objects that are written inside a relationship, by the place of the relationship.
    private let inlined: [MappingPlace: Int]?

    init(_ source: SourceMapping, index: Int, comments: [MappingPlace: MappingComment]) {
        self.source = source
        self.index = index
        self.comments = comments
        inlined = Self.inlined(source.objects, source: index)
    }

    func entries(isWholeFile: Bool) -> [YAMLTree.Entry] {
        var entries: [YAMLTree.Entry] = []
        func add(_ key: String, _ value: YAMLTree?) {
            let comment = comments[MappingPlace(source: index, key: key)] ?? MappingComment()
            if let value { entries.append(YAMLTree.Entry(key, value, comment)) }
        }
        let usualName = source.files.first ?? source.format.table ?? "source \(index + 1)"
        add("name", source.name == usualName ? nil : .text(source.name))
        add("files", source.files.isEmpty ? nil : .texts(source.files))
        addFormat(add)
        if !isWholeFile, !source.settings.isEmpty {
            add("settings", .map(ImportMappingWriter.settings(source.settings)))
        }
        add("where", source.filter.map { .map(ImportMappingWriter.filter($0)) })
        if let object = source.objects.first, inlined != nil {
            entries += self.entries(of: object, at: 0)
        } else {
            add("objects", .list(source.objects.indices.map { .map(listed(source.objects[$0], at: $0)) }))
        }
        // Comments on a source are written above its first key.
        if let comment = comments[MappingPlace(source: index)], !entries.isEmpty {
            entries[0].comment.before = comment.before + entries[0].comment.before
            entries[entries.count - 1].comment.after += comment.after
        }
        return entries
    }

    private func addFormat(_ add: (String, YAMLTree?) -> Void) {
        let format = source.format
        func character(_ text: String?) -> YAMLTree? { text.map { .text($0.isEmpty ? "none" : $0) } }
        add("format", format.kind.map { .text($0.rawValue) })
        add("delimiter", format.delimiter.map { .text(Self.delimiterName($0)) })
        add("quote", character(format.quote))
        add("escape", character(format.escape))
        add("newline", format.newline.map { .text($0 == .any ? "any" : $0 == .lineFeed ? "lf" : "cr") })
        add("header", format.hasHeader.map { .flag($0) })
        add("columns", format.columns.map { .texts($0) })
        add("comment", character(format.comment))
        add("encoding", format.encoding.map { .text($0) })
        add("skipLines", format.skippedLines == 0 ? nil : .word("\(format.skippedLines)"))
        add("ragged", format.allowsRaggedRecords ? .flag(true) : nil)
        add("layout", format.layout.map { .text($0.rawValue) })
        add("records", format.records.map { .text($0) })
        let namespaces = format.namespaces.sorted { $0.key < $1.key }.map { YAMLTree.Entry($0.key, .text($0.value)) }
        add("namespaces", namespaces.isEmpty ? nil : .map(namespaces))
        add("table", format.table.map { .text($0) })
        add("query", format.query.map { .text($0) })
        for (key, text) in format.texts.sorted(by: { $0.key < $1.key }) { add(key, .text(text)) }
    }

    private static func delimiterName(_ text: String) -> String {
        DelimitedOptions.delimiterNames.first { $0.text == text && ($0.name == "tab" || $0.name == "space") }?.name
            ?? text
    }

    // MARK: Objects

    private func comment(_ object: Int, property: String? = nil, key: String? = nil) -> MappingComment {
        comments[MappingPlace(source: index, object: object, property: property, key: key)] ?? MappingComment()
    }

    /// Returns an object as an element of a list.
    private func listed(_ object: ObjectMapping, at place: Int) -> [YAMLTree.Entry] {
        var entries: [YAMLTree.Entry] = []
        if let id = object.id { entries.append(YAMLTree.Entry("id", .text(id))) }
        if let parent = object.parent { entries.append(YAMLTree.Entry("in", .text(parent))) }
        entries += part(object)
        return entries + self.entries(of: object, at: place)
    }

    private func part(_ object: ObjectMapping) -> [YAMLTree.Entry] {
        var entries: [YAMLTree.Entry] = []
        if let records = object.records { entries.append(YAMLTree.Entry("each", .text(records))) }
        if let filter = object.filter {
            entries.append(YAMLTree.Entry("where", .map(ImportMappingWriter.filter(filter))))
        }
        return entries
    }

    private func entries(of object: ObjectMapping, at place: Int) -> [YAMLTree.Entry] {
        var entries: [YAMLTree.Entry] = []
        func add(_ key: String, _ value: YAMLTree?) {
            if let value { entries.append(YAMLTree.Entry(key, value, comment(place, key: key))) }
        }
        add("entity", .text(object.entity))
        add("key", object.key.isEmpty ? nil : .texts(object.key))
        add("sourceKey", object.sourceKey.isEmpty ? nil : sourceKey(object.sourceKey))
        add("onMatch", object.onMatch == .update ? nil : .text(object.onMatch.rawValue))
        add("onMissing", object.onMissing == .create ? nil : .text(object.onMissing.rawValue))
        add("mirror", object.mirrors ? .flag(true) : nil)
        let attributes = object.attributes.map { attribute in
            YAMLTree.Entry(attribute.attribute, value(of: attribute), comment(place, property: attribute.attribute))
        }
        add("attributes", attributes.isEmpty ? nil : .map(attributes))
        let relationships = object.relationships.map { relationship in
            YAMLTree.Entry(
                relationship.relationship, value(of: relationship, at: place),
                comment(place, property: relationship.relationship))
        }
        add("relationships", relationships.isEmpty ? nil : .map(relationships))
        // Comments on the object itself, and on blocks that it lacks, are written where possible.
        let own = comment(place)
        if !entries.isEmpty { entries[0].comment.before = own.before + entries[0].comment.before }
        for (key, isMissing) in [("attributes", attributes.isEmpty), ("relationships", relationships.isEmpty)]
        where isMissing && !entries.isEmpty {
            entries[entries.count - 1].comment.after += comment(place, key: key).after
        }
        if !entries.isEmpty { entries[entries.count - 1].comment.after += own.after }
        return entries
    }

    private func value(of attribute: AttributeMapping) -> YAMLTree {
        if attribute.conversion.isEmpty, attribute.defaultValue == nil, !attribute.keepsNull,
            let short = ImportMappingWriter.shortOrigin(attribute.value)
        {
            return short
        }
        var entries = ImportMappingWriter.origin(attribute.value)
        entries += ImportMappingWriter.settings(attribute.conversion)
        if let text = attribute.defaultValue { entries.append(YAMLTree.Entry("default", .text(text))) }
        if attribute.keepsNull { entries.append(YAMLTree.Entry("default", .word("null"))) }
        return .map(entries)
    }

    private func value(of relationship: RelationshipMapping, at place: Int) -> YAMLTree {
        var entries: [YAMLTree.Entry] = []
        switch relationship.target {
        case .object(let id):
            let inside = MappingPlace(source: index, object: place, property: relationship.relationship)
            if let other = inlined?[inside] {
                let object = source.objects[other]
                if let id = object.id, id != "#\(other)" { entries.append(YAMLTree.Entry("id", .text(id))) }
                entries += part(object) + self.entries(of: object, at: other)
                // Otherwise it could not be distinguished from a key.
                let isMarked = entries.contains { MappingKeys.inlineObjectMarks.contains($0.key) }
                if !isMarked { entries.append(YAMLTree.Entry("onMatch", .text(object.onMatch.rawValue))) }
            } else {
                entries.append(YAMLTree.Entry("object", .text(id)))
            }
        case .key(let target): entries = self.entries(of: target)
        }
        if relationship.adds { entries.append(YAMLTree.Entry("add", .flag(true))) }
        if let order = relationship.order { entries.append(YAMLTree.Entry("order", .text(order))) }
        if entries.count == 1, entries[0].key == "from", case .text = entries[0].value { return entries[0].value }
        return .map(entries)
    }

    private func entries(of target: RelationshipMapping.KeyTarget) -> [YAMLTree.Entry] {
        var entries: [YAMLTree.Entry] = []
        if target.isSourceKey {
            entries.append(YAMLTree.Entry("sourceKey", sourceKey(target.parts.map(\.value))))
        } else if target.parts.count == 1 {
            let part = target.parts[0]
            if let attribute = part.attribute { entries.append(YAMLTree.Entry("by", .text(attribute))) }
            entries += ImportMappingWriter.origin(part.value) + ImportMappingWriter.settings(part.conversion)
        } else {
            let parts = target.parts.map { part in
                let short = part.conversion.isEmpty ? ImportMappingWriter.shortOrigin(part.value) : nil
                let long = ImportMappingWriter.origin(part.value) + ImportMappingWriter.settings(part.conversion)
                return YAMLTree.Entry(part.attribute ?? "", short ?? .map(long))
            }
            entries.append(YAMLTree.Entry("by", .map(parts)))
        }
        if let entity = target.entity { entries.append(YAMLTree.Entry("entity", .text(entity))) }
        if let separator = target.separator {
            entries.append(YAMLTree.Entry("separator", .text(Self.delimiterName(separator))))
        }
        if target.missing != .find { entries.append(YAMLTree.Entry("onMissing", .text(target.missing.word))) }
        return entries
    }

    private func sourceKey(_ values: [ValueOrigin]) -> YAMLTree {
        func tree(_ value: ValueOrigin) -> YAMLTree {
            if case .column(let name) = value { return .text(name) }
            return .map(ImportMappingWriter.origin(value))
        }
        return values.count == 1 ? tree(values[0]) : .list(values.map(tree))
    }

    /// Returns the objects that can be written inside the relationships that lead to them, so that reading gives the
    /// same list.
    ///
    /// nil if the objects need a list of their own.
    private static func inlined(_ objects: [ObjectMapping], source: Int) -> [MappingPlace: Int]? {
        guard let first = objects.first, first.id == nil, first.records == nil, first.parent == nil,
            first.filter == nil
        else { return nil }
        var inlined: [MappingPlace: Int] = [:]
        var next = 1
        func visit(_ index: Int) {
            let object = objects[index]
            let owner = object.records != nil || object.parent != nil ? object.id : nil
            for relationship in object.relationships {
                guard next < objects.count, case .object(let id) = relationship.target, objects[next].id == id,
                    objects[next].parent == owner
                else { continue }
                let place = MappingPlace(source: source, object: index, property: relationship.relationship)
                inlined[place] = next
                next += 1
                visit(next - 1)
            }
        }
        visit(0)
        return next == objects.count ? inlined : nil
    }
}

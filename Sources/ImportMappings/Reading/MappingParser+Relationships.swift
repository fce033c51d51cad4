internal import DocumentReading

extension MappingParser {
    /// Returns the target of a relationship; objects inside it are added to `objects`, as parts of the owner's part.
    mutating func relationship(
        _ entry: YAMLEntry, at place: MappingPlace, owner: String?
    ) -> RelationshipMapping? {
        let what = "the relationship \"\(entry.key)\""
        guard let entries = entry.value.mapping else {
            guard let column = text(entry.value, what: "the column of \(what)") else { return nil }
            let target = RelationshipMapping.KeyTarget(attribute: nil, value: .column(column))
            return RelationshipMapping(relationship: entry.key, target: .key(target))
        }
        let keys = entries.map(\.key)
        let isReference = keys.contains("object")
        let isInline = !isReference && keys.contains(where: MappingKeys.inlineObjectMarks.contains)
        let allowed =
            isReference
            ? MappingKeys.reference
            : isInline
                ? MappingKeys.inlineObject
                : keys.contains("sourceKey") ? MappingKeys.sourceKeyTarget : MappingKeys.keyTarget
        let sort =
            isReference
            ? " with \"object\""
            : isInline ? " with an object of its own" : keys.contains("sourceKey") ? " with \"sourceKey\"" : ""
        guard let fields = fields(of: entry.value, what: what + sort, keys: allowed) else { return nil }

        note(fields, in: place)
        let target: RelationshipMapping.Target?
        if isReference {
            target = reference(fields)
        } else if isInline, let source = place.source {
            let id = object(fields, source: source, isRecord: false, parent: owner, isInline: true)
            target = id.map { .object($0) }
        } else {
            target = keyTarget(fields, what: what, at: place).map { .key($0) }
        }
        guard let target else { return nil }
        var relationship = RelationshipMapping(relationship: entry.key, target: target)
        if let node = fields["add"] { relationship.adds = boolean(node, what: "\"add\"") ?? false }
        relationship.order = fields["order"].flatMap { text($0, what: "\"order\"") }
        return relationship
    }

    private mutating func reference(_ fields: YAMLFields) -> RelationshipMapping.Target? {
        guard let node = fields["object"], let id = text(node, what: "\"object\"") else { return nil }
        references.append((id, node.location))
        return .object(id)
    }

    private mutating func keyTarget(
        _ fields: YAMLFields, what: String, at place: MappingPlace
    ) -> RelationshipMapping.KeyTarget? {
        var parts: [RelationshipMapping.KeyPart] = []
        if let node = fields["sourceKey"] {
            note(place.key("sourceKey"), at: node.location)
            parts = sourceKey(node).map { RelationshipMapping.KeyPart(attribute: nil, value: $0) }
        } else if let node = fields["by"], node.mapping != nil {
            for key in MappingKeys.origin + MappingKeys.settings where fields.has(key) {
                report("\"\(key)\" belongs to one of the attributes in \"by\"", at: fields.location(key))
            }
            parts = keyParts(node, what: what, at: place)
        } else {
            let attribute = fields["by"].flatMap { text($0, what: "\"by\"") }
            if let node = fields["by"] {
                guard attribute != nil else { return nil }
                note(partPlace(place, 0), at: node.location)
            }
            guard let value = origin(fields, what: what) else { return nil }
            let settings = settings(fields, at: place)
            parts = [RelationshipMapping.KeyPart(attribute: attribute, value: value, conversion: settings)]
        }
        guard !parts.isEmpty else { return nil }
        var target = RelationshipMapping.KeyTarget(parts: parts)
        target.isSourceKey = fields.has("sourceKey")
        if let node = fields["entity"] {
            target.entity = text(node, what: "\"entity\"")
        }
        if let node = fields["separator"] {
            target.separator = delimiter(node, what: "\"separator\"")
            if parts.count > 1 {
                report("keys of several parts cannot be in one string; remove \"separator\"", at: node.location)
            }
        }
        if let node = fields["onMissing"] {
            target.missing = choice(node, what: "\"onMissing\"", MissingTarget.words) ?? .find
        }
        return target
    }

    private mutating func keyParts(
        _ node: YAMLNode, what: String, at place: MappingPlace
    ) -> [RelationshipMapping.KeyPart] {
        guard let entries = node.mapping, !entries.isEmpty else {
            report("\"by\" names no attribute; name one with its column", at: node.location)
            return []
        }
        var parts: [RelationshipMapping.KeyPart] = []
        for (index, entry) in entries.enumerated() {
            note(partPlace(place, index), at: entry.keyLocation)
            let what = "\"\(entry.key)\" in \"by\" of \(what)"
            guard entry.value.mapping != nil else {
                guard let value = shortOrigin(entry.value, what: "the column of \(what)") else { continue }
                parts.append(RelationshipMapping.KeyPart(attribute: entry.key, value: value))
                continue
            }
            let keys = MappingKeys.origin + MappingKeys.settings
            guard let fields = fields(of: entry.value, what: what, keys: keys),
                let value = origin(fields, what: what)
            else { continue }
            let settings = settings(fields, at: partPlace(place, index))
            parts.append(RelationshipMapping.KeyPart(attribute: entry.key, value: value, conversion: settings))
        }
        return parts
    }

    private func partPlace(_ place: MappingPlace, _ index: Int) -> MappingPlace {
        place.key("by.\(index)")
    }
}

extension MissingTarget {
    /// The words in mapping files, which are the same as for objects.
    static let words: [(String, MissingTarget)] = [("create", .create), ("skip", .find), ("error", .required)]

    var word: String { Self.words.first { $0.1 == self }?.0 ?? "" }
}

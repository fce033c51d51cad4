internal import DocumentReading
import RecordSources
import TextEncodings

extension MappingParser {
    /// Reads an object and those inside its relationships into `objects`; returns its id, if it has one.
    ///
    /// The record's own object has no keys for a part of the record.
    mutating func object(
        _ fields: YAMLFields, source: Int, isRecord: Bool, parent: String? = nil, isInline: Bool = false
    ) -> String? {
        let index = objects.count
        let place = MappingPlace(source: source, object: index)
        note(place, at: isRecord ? fields.location("entity") : fields.node.location)

        var object = ObjectMapping(entity: "", parent: parent)
        if !isRecord {
            object.id = fields["id"].flatMap { text($0, what: "\"id\"") }
            object.records = fields["each"].flatMap { partPath($0) }
            if let node = fields["where"] {
                object.filter = filter(node)
            }
            if let node = fields["in"], let id = text(node, what: "\"in\"") {
                object.parent = id
                references.append((id, node.location))
            }
        }
        // Objects inside this one must be able to refer to it.
        let isPart = object.records != nil || object.parent != nil
        if object.id == nil && (isInline || isPart) { object.id = "#\(index)" }

        if let node = fields["entity"] {
            note(place.key("entity"), at: node.location)
            object.entity = text(node, what: "\"entity\"") ?? ""
        } else {
            report("an object needs an \"entity\"; name its entity", at: fields.node.location)
        }
        note(fields, in: place)
        if let node = fields["key"] { object.key = key(node, source: source, object: index) }
        if let node = fields["sourceKey"] {
            note(place.key("sourceKey"), at: node.location)
            object.sourceKey = sourceKey(node)
        }
        if let node = fields["onMatch"] { object.onMatch = choice(node, what: "\"onMatch\"") ?? .update }
        if let node = fields["onMissing"] { object.onMissing = choice(node, what: "\"onMissing\"") ?? .create }
        if let node = fields["mirror"] {
            note(place.key("mirror"), at: node.location)
            object.mirrors = boolean(node, what: "\"mirror\"") ?? false
        }
        objects.append((object, fields.node.location))

        if let node = fields["attributes"] {
            objects[index].mapping.attributes = attributes(node, source: source, object: index)
        }
        if let node = fields["relationships"] {
            for entry in entries(of: node, what: "\"relationships\"") ?? [] {
                let property = MappingPlace(source: source, object: index, property: entry.key)
                note(property, at: entry.keyLocation)
                let owner = isPart ? object.id : nil
                guard let relationship = relationship(entry, at: property, owner: owner) else { continue }
                objects[index].mapping.relationships.append(relationship)
            }
        }
        return object.id
    }

    private mutating func key(_ node: YAMLNode, source: Int, object: Int) -> [String] {
        for (index, part) in (node.sequence ?? []).enumerated() {
            note(MappingPlace(source: source, object: object, key: "key.\(index)"), at: part.location)
        }
        let names = texts(node, what: "\"key\"") ?? []
        if let double = firstDouble(in: names) { report("\"key\" names \"\(double)\" twice", at: node.location) }
        return names
    }

    /// Returns the values of a source key: a column, a value derived from columns, or a list of these.
    mutating func sourceKey(_ node: YAMLNode) -> [ValueOrigin] {
        if let items = node.sequence, items.isEmpty {
            report("\"sourceKey\" names no value; name the column that has it", at: node.location)
        }
        return (node.sequence ?? [node]).compactMap { item in
            guard item.mapping != nil else { return text(item, what: "\"sourceKey\"").map { .column($0) } }
            return fields(of: item, what: "\"sourceKey\"", keys: MappingKeys.origin).flatMap {
                origin($0, what: "\"sourceKey\"")
            }
        }
    }

    private mutating func partPath(_ node: YAMLNode) -> String? {
        guard let text = text(node, what: "\"each\"") else { return nil }
        checkPath(text, at: node.location)
        return text
    }

    mutating func checkPath(_ text: String, at location: SourceLocation) {
        var names = FieldNames()
        do throws(RecordPathError) {
            _ = try RecordPath(text, names: &names)
        } catch {
            report(error.description, at: location)
        }
    }

    // MARK: Attributes

    private mutating func attributes(_ node: YAMLNode, source: Int, object: Int) -> [AttributeMapping] {
        if node.sequence != nil {
            // Columns with the names of their attributes.
            return (list(of: node, what: "\"attributes\"") ?? []).compactMap { item in
                guard let name = text(item, what: "an attribute") else { return nil }
                note(MappingPlace(source: source, object: object, property: name), at: item.location)
                return AttributeMapping(attribute: name, value: .column(name))
            }
        }
        return (entries(of: node, what: "\"attributes\"") ?? []).compactMap { entry in
            let place = MappingPlace(source: source, object: object, property: entry.key)
            note(place, at: entry.keyLocation)
            return attribute(entry, at: place)
        }
    }

    private mutating func attribute(_ entry: YAMLEntry, at place: MappingPlace) -> AttributeMapping? {
        let what = "the attribute \"\(entry.key)\""
        guard entry.value.mapping != nil else {
            return shortOrigin(entry.value, what: "the column of \(what)").map {
                AttributeMapping(attribute: entry.key, value: $0)
            }
        }
        guard let fields = fields(of: entry.value, what: what, keys: MappingKeys.attribute),
            let value = origin(fields, what: what)
        else { return nil }
        var attribute = AttributeMapping(attribute: entry.key, value: value)
        attribute.conversion = settings(fields, at: place)
        if let node = fields["default"] {
            attribute.keepsNull = node.isNull && node.text?.isEmpty == false
            if !attribute.keepsNull { attribute.defaultValue = text(node, what: "\"default\"", allowsEmpty: true) }
            if case .constant = value {
                report("a constant is never missing; remove \"default\"", at: fields.location("default"))
            }
        }
        return attribute
    }

    // MARK: References between objects

    /// Reports duplicate or unknown ids, and parts that contain themselves.
    mutating func checkReferences() {
        let ids = objects.compactMap(\.mapping.id)
        var known = Set<String>()
        for object in objects {
            guard let id = object.mapping.id, !known.insert(id).inserted else { continue }
            report("the id \"\(id)\" is given twice; rename one", at: object.location)
        }
        for reference in references where !known.contains(reference.id) {
            let suggestion = NearestName.find(reference.id, among: ids).map { "; did you mean \"\($0)\"?" }
            report(
                "no object of this source has the id \"\(reference.id)\""
                    + (suggestion ?? "; give it to one as \"id\""),
                at: reference.location)
        }
        var parents: [String: String] = [:]
        for object in objects {
            if let id = object.mapping.id, let parent = object.mapping.parent { parents[id] = parent }
        }
        for object in objects {
            var (id, steps) = (object.mapping.parent, 0)
            while let current = id, steps <= objects.count { (id, steps) = (parents[current], steps + 1) }
            guard steps > objects.count else { continue }
            report("this part contains itself; change \"in\"", at: object.location)
            return
        }
    }
}

internal import DocumentReading
internal import KeyedArchives
internal import PredicateExpressions

/// Reads compiled mapping models: a keyed archive of `NSMappingModel` (docs/format/mapping-models.md#compiled-form).
enum CompiledMappingReader {
    static func read(_ source: SourceText) throws(DocumentError) -> MappingModelDocument {
        let location = SourceLocation(file: source.name, line: 1)
        var parser = CompiledMappingParser(name: source.name)
        let model: MappingModel
        do {
            model = try parser.model(KeyedArchive(source.bytes).root())
        } catch {
            throw DocumentError(
                .unacceptable, "this cannot be read as a compiled mapping model: \(error)", at: location)
        }
        if let (_, sentence) = model.incompleteness {
            throw DocumentError(.unacceptable, sentence + "; compile the mapping model again", at: location)
        }
        return MappingModelDocument(model: model, form: .compiled, name: source.name, warnings: parser.warnings)
    }
}

struct CompiledMappingParser {
    let name: String
    private(set) var warnings: [DocumentError] = []

    init(name: String) {
        self.name = name
    }

    mutating func model(_ object: ArchivedObject) throws -> MappingModel {
        try require("NSMappingModel", object)
        try warnUnknown(in: object, ["NSEntityMappings", "NSEntityMappingsByName"])
        guard let elements = try object.elements("NSEntityMappings") else {
            throw object.error(.keyMissing, key: "NSEntityMappings")
        }
        return MappingModel(
            entityMappings: try elements.map { try entityMapping(Self.object($0, in: object)) })
    }

    private mutating func entityMapping(_ object: ArchivedObject) throws -> EntityMapping {
        try require("NSEntityMapping", object)
        try warnUnknown(
            in: object,
            [
                "NSMappingName", "NSMappingType", "NSSourceEntityName", "NSSourceEntityVersionHash",
                "NSDestinationEntityName", "NSDestinationEntityVersionHash", "NSAttributeMappings",
                "NSRelationshipMappings", "NSSourceExpression", "NSEntityMigrationPolicyClassName", "NSUserInfo",
            ])
        let number = try object.integer("NSMappingType") ?? 0
        guard let type = Int(exactly: number).flatMap(EntityMappingType.init) else {
            throw object.error(.valueInvalid, key: "NSMappingType", found: "\(number)")
        }
        let (source, destination) =
            (try object.string("NSSourceEntityName"), try object.string("NSDestinationEntityName"))
        var mapping = EntityMapping(
            name: try object.string("NSMappingName")
                ?? EntityMapping.generatedName(source: source, destination: destination),
            type: type, sourceEntityName: source, destinationEntityName: destination)
        mapping.sourceEntityVersionHash = try object.data("NSSourceEntityVersionHash")
        mapping.destinationEntityVersionHash = try object.data("NSDestinationEntityVersionHash")
        mapping.migrationPolicyClassName = try object.string("NSEntityMigrationPolicyClassName")
        mapping.userInfo = try userInfo(of: object)
        FerryUserInfo.take(from: &mapping)
        if let fetch = try object.object("NSSourceExpression") {
            take(try Expression(archived: fetch), into: &mapping)
        }
        mapping.attributeMappings = try properties("NSAttributeMappings", of: object)
        mapping.relationshipMappings = try properties("NSRelationshipMappings", of: object)
        return mapping
    }

    /// Sets the source of a mapping from its fetch: the default fetch of an entity becomes its name and filter; any
    /// other stays an expression.
    private func take(_ fetch: Expression, into mapping: inout EntityMapping) {
        if case .fetchRequest(.invocation(_, _, let arguments), _, _) = fetch, arguments.count == 2,
            case .constant(.string(let filter)) = arguments[1], let entity = mapping.sourceEntityName,
            fetch == (try? Expression(format: MappingExpressionText.fetch(entity: entity, filter: filter)))
        {
            mapping.sourceFilter = filter == "TRUEPREDICATE" ? nil : filter
        } else {
            mapping.sourceExpression = fetch.format
        }
    }

    private mutating func properties(_ key: String, of object: ArchivedObject) throws -> [PropertyMapping] {
        try (object.elements(key) ?? []).map { element in
            let part = try Self.object(element, in: object)
            try require("NSPropertyMapping", part)
            try warnUnknown(
                in: part, ["NSDestinationPropertyName", "NSValueExpression", "NSPropertyTransforms", "NSUserInfo"])
            var property = PropertyMapping(name: try part.string("NSDestinationPropertyName") ?? "")
            property.valueExpression = try part.object("NSValueExpression").map { try Expression(archived: $0).format }
            property.transforms = try transforms(of: part)
            property.userInfo = try userInfo(of: part)
            FerryUserInfo.take(from: &property)
            return property
        }
    }

    private mutating func transforms(of object: ArchivedObject) throws -> [PropertyTransform] {
        try (object.elements("NSPropertyTransforms") ?? []).map { element in
            let part = try Self.object(element, in: object)
            try require("NSPropertyTransform", part)
            try warnUnknown(in: part, ["NSPropertyName", "NSValueExpression", "NSReplaceMissingValueOnly"])
            return PropertyTransform(
                propertyName: try part.string("NSPropertyName") ?? "",
                valueExpression: try part.object("NSValueExpression").map { try Expression(archived: $0).format },
                replacesMissingValueOnly: try part.boolean("NSReplaceMissingValueOnly") ?? false)
        }
    }

    private mutating func userInfo(of object: ArchivedObject) throws -> [String: String] {
        guard let dictionary = try object.object("NSUserInfo") else { return [:] }
        let (texts, others) = try ArchivedUserInfo.read(dictionary)
        for key in others { warn("the value of \"\(key)\" in the user info is not a string and is skipped") }
        return texts
    }

    private func require(_ className: String, _ object: ArchivedObject) throws {
        guard object.isKind(of: className) else {
            throw object.error(.typeUnexpected, key: className, found: object.className)
        }
    }

    private static func object(_ value: ArchivedValue, in owner: ArchivedObject) throws -> ArchivedObject {
        guard let object = value.object else { throw owner.error(.typeUnexpected) }
        return object
    }

    private mutating func warnUnknown(in object: ArchivedObject, _ known: [String]) throws {
        for key in try object.keyNames() where !known.contains(key) {
            warn("\(object.className) has an unknown key \"\(key)\", which is skipped")
        }
    }

    private mutating func warn(_ sentence: String) {
        warnings.append(DocumentError(.unacceptable, sentence, at: SourceLocation(file: name, line: 1)))
    }
}

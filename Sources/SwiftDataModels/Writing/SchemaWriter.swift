import ManagedObjectModels

/// Writes one version as a `VersionedSchema` with its classes.
struct SchemaWriter {
    let model: ManagedObjectModel
    let resolved: ResolvedModel
    private(set) var losses: [ModelWarning] = []
    /// The structures that were written for composites.
    private var structures: [String: String] = [:]

    init(model: ManagedObjectModel, resolved: ResolvedModel) {
        self.model = model
        self.resolved = resolved
    }

    mutating func lines(name: String, identifier: String) -> [String] {
        let list = model.entities.map { SwiftName.type($0.name, else: "Entity") + ".self" }
        var lines = [
            "enum \(name): VersionedSchema {",
            "    static let versionIdentifier = Schema.Version(\(identifier))",
            "    static var models: [any PersistentModel.Type] {", "        [\(list.joined(separator: ", "))]", "    }",
        ]
        for entity in model.entities { lines += [""] + self.lines(of: entity).map { $0.isEmpty ? "" : "    " + $0 } }
        for composite in model.composites.sorted(by: { $0.name < $1.name }) where structures[composite.name] != nil {
            lines += [""] + self.lines(of: composite).map { "    " + $0 }
        }
        if !model.configurations.filter({ $0.name != "default" }).isEmpty { lose("the configurations", nil) }
        if !model.fetchRequestTemplates.isEmpty { lose("the fetch requests", nil) }
        return lines + ["}", ""]
    }

    private mutating func lose(_ part: String, _ entity: EntityDescription?, _ property: String? = nil) {
        losses.append(ModelWarning(.notWritable(part), entity: entity?.name, property: property))
    }

    private mutating func lines(of entity: EntityDescription) -> [String] {
        let name = SwiftName.type(entity.name, else: "Entity")
        if name != entity.name { lose("the name, which Swift does not allow for a class,", entity) }
        if entity.isAbstract { lose("that the entity is abstract", entity) }
        if entity.versionHashModifier != nil { lose("the hash modifier of the entity", entity) }
        if entity.renamingIdentifier != nil { lose("the renaming identifier of the entity", entity) }
        if !entity.fetchedProperties.isEmpty { lose("the fetched properties", entity) }
        if !entity.compoundIndexes.isEmpty { lose("the compound indexes", entity) }
        let parent = entity.superentityName.map { ": " + SwiftName.type($0, else: "Entity") }
        if parent != nil { lose("the parent entity, for which SwiftData's rule is by analogy,", entity) }
        var lines = ["@Model", "\(parent == nil ? "final " : "")class \(name)\(parent ?? "") {"]
        let several = entity.uniquenessConstraints.filter { $0.count > 1 || !isProperty($0, of: entity) }
        if !several.isEmpty {
            lines.append("    #Unique<\(name)>(\(several.map(Self.keyPaths).joined(separator: ", ")))")
        }
        let indexes = entity.fetchIndexes.filter { index in
            index.partialIndexPredicate == nil
                && index.elements.allSatisfy { $0.propertyName != nil && $0.collation == .binary }
        }
        for index in entity.fetchIndexes where !indexes.contains(index) { lose("the index \(index.name)", entity) }
        if !indexes.isEmpty {
            let lists = indexes.map { Self.keyPaths($0.elements.compactMap(\.propertyName)) }
            lines.append("    #Index<\(name)>(\(lists.joined(separator: ", ")))")
        }
        if lines.count > 2 { lines.append("") }
        var required: [(name: String, type: String)] = []
        for attribute in entity.attributes {
            guard let declared = declaration(of: attribute, in: entity) else { continue }
            lines.append("    " + declared.line)
            if let type = declared.requiredType { required.append((attribute.name, type)) }
        }
        for relationship in entity.relationships {
            let declared = declaration(of: relationship, in: entity)
            lines.append("    " + declared.line)
            if let type = declared.requiredType { required.append((relationship.name, type)) }
        }
        if parent == nil { lines += [""] + Self.initializer(required) }
        return lines + ["}"]
    }

    private func isProperty(_ names: [String], of entity: EntityDescription) -> Bool {
        entity.attributes.contains { $0.name == names.first }
            || entity.relationships.contains { $0.name == names.first }
    }

    private static func keyPaths(_ names: [String]) -> String {
        "[" + names.map { "\\." + SwiftName.property($0) }.joined(separator: ", ") + "]"
    }

    private static func initializer(_ required: [(name: String, type: String)]) -> [String] {
        let parameters = required.map { "\(SwiftName.property($0.name)): \($0.type)" }
        guard !parameters.isEmpty else { return ["    init() {}"] }
        return ["    init(\(parameters.joined(separator: ", "))) {"]
            + required.map { "        self.\(SwiftName.property($0.name)) = \(SwiftName.property($0.name))" } + [
                "    }"
            ]
    }

    private typealias Declared = (line: String, requiredType: String?)

    private mutating func declaration(of attribute: AttributeDescription, in entity: EntityDescription) -> Declared? {
        if attribute.isDerived { lose("the derivation", entity, attribute.name) }
        if !attribute.validation.isEmpty { lose("the validation rules", entity, attribute.name) }
        var options: [String] = []
        if entity.uniquenessConstraints.contains([attribute.name]) { options.append(".unique") }
        if attribute.isTransient { options.append(".ephemeral") }
        if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
        if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
        if attribute.isSpotlightIndexed { options.append(".spotlight") }
        if attribute.allowsCloudEncryption { options.append(".allowsCloudEncryption") }
        guard var type = swiftType(of: attribute, in: entity, options: &options) else {
            lose("an attribute of the type \(attribute.type.name)", entity, attribute.name)
            return nil
        }
        if let identifier = attribute.renamingIdentifier, identifier != attribute.name {
            options.append("originalName: \(SwiftName.literal(identifier))")
        }
        if let modifier = attribute.versionHashModifier {
            options.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        if attribute.isOptional { type += "?" }
        var value = attribute.defaultValue.flatMap { Self.literal($0) }
        // Other classes do not accept literals.
        if case .array? = attribute.defaultValue, !type.hasPrefix("[") { value = nil }
        if attribute.defaultValue != nil, value == nil { lose("the default value", entity, attribute.name) }
        let prefix = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
        let line = "\(prefix)var \(SwiftName.property(attribute.name)): \(type)" + (value.map { " = \($0)" } ?? "")
        return (line, attribute.isOptional || value != nil ? nil : type)
    }

    private mutating func swiftType(
        of attribute: AttributeDescription, in entity: EntityDescription?, options: inout [String]
    ) -> String? {
        switch attribute.type {
        case .transformable:
            let collections = ["Array<String>": "[String]", "Array<Data>": "[Data]"]
            if let type = collections[attribute.attributeValueClassName ?? ""] { return type }
            // The models that SwiftData keeps in stores do not always contain the class.
            if attribute.attributeValueClassName == nil, attribute.isKeyedArchive,
                case .array(let elements)? = attribute.defaultValue
            {
                if case .binary? = elements.first { return "[Data]" }
                if elements.isEmpty {
                    let reason = "the model does not say what the array's elements are; [String] is assumed"
                    losses.append(ModelWarning(.source(reason), entity: entity?.name, property: attribute.name))
                }
                return "[String]"
            }
            let transformer = attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
            options.append(".transformable(by: \(SwiftName.literal(transformer)))")
            let name = attribute.attributeValueClassName ?? "NSObject"
            return SwiftName.isName(name.filter { $0 != "." }) ? name : "NSObject"
        case .composite:
            guard let name = attribute.compositeName else { return nil }
            let structure = structures[name] ?? Self.structureName(name, taken: Set(structures.values), model)
            structures[name] = structure
            return structure
        default: return Self.types[attribute.type]
        }
    }

    private static let types: [AttributeType: String] = [
        .integer16: "Int16", .integer32: "Int32", .integer64: "Int64", .decimal: "Decimal", .double: "Double",
        .float: "Float", .string: "String", .boolean: "Bool", .date: "Date", .binaryData: "Data", .uuid: "UUID",
        .uri: "URL",
    ]

    /// Returns a name that is not used by an entity or another structure.
    private static func structureName(_ name: String, taken: Set<String>, _ model: ManagedObjectModel) -> String {
        let parts = name.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        var result = SwiftName.type(parts.joined(), else: "Composite")
        while taken.contains(result) || model.entities.contains(where: { $0.name == result }) { result += "Value" }
        return result
    }

    /// Returns a structure in which a duplicate element is declared only once, since Swift does not allow duplicates.
    private mutating func lines(of composite: CompositeDescription) -> [String] {
        var lines = ["struct \(structures[composite.name] ?? ""): Codable {"]
        var names: Set<String> = []
        for element in composite.elements {
            guard names.insert(element.name).inserted else {
                lose("a second element \(element.name) of the composite \(composite.name)", nil)
                continue
            }
            var options: [String] = []
            guard let type = element.type == .composite ? nil : swiftType(of: element, in: nil, options: &options),
                options.isEmpty
            else {
                lose("the element \(element.name) of the composite \(composite.name)", nil)
                continue
            }
            lines.append("    var \(SwiftName.property(element.name)): \(type)\(element.isOptional ? "?" : "")")
        }
        return lines + ["}"]
    }

    private mutating func declaration(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> Declared {
        if relationship.isOrdered { lose("the order", entity, relationship.name) }
        if relationship.isTransient { lose("that the relationship is transient", entity, relationship.name) }
        var options: [String] = []
        if entity.uniquenessConstraints.contains([relationship.name]) { options.append(".unique") }
        switch relationship.deleteRule {
        case .nullify: break
        case .cascade: options.append("deleteRule: .cascade")
        case .deny: options.append("deleteRule: .deny")
        case .noAction: options.append("deleteRule: .noAction")
        }
        if relationship.minimumCount > 0, relationship.isToMany {
            options.append("minimumModelCount: \(relationship.minimumCount)")
        }
        if relationship.maximumCount > 1 { options.append("maximumModelCount: \(relationship.maximumCount)") }
        if let identifier = relationship.renamingIdentifier, identifier != relationship.name {
            options.append("originalName: \(SwiftName.literal(identifier))")
        }
        if let modifier = relationship.versionHashModifier {
            options.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        // Only one side has the inverse: Swift does not allow two macros that depend on each other.
        if let inverse = relationship.inverseName,
            (entity.name, relationship.name) <= (relationship.destinationEntityName, inverse)
        {
            let destination = SwiftName.type(relationship.destinationEntityName, else: "Entity")
            options.append("inverse: \\\(destination).\(SwiftName.property(inverse))")
        }
        let isPlain = options.isEmpty && relationship.inverseName != nil
        // Without parentheses, a relationship would be indistinguishable from one that SwiftData pairs automatically.
        let prefix = isPlain ? "" : "@Relationship" + (options.isEmpty ? " " : "(\(options.joined(separator: ", "))) ")
        let destination = SwiftName.type(relationship.destinationEntityName, else: "Entity")
        let type = (relationship.isToMany ? "[\(destination)]" : destination) + (relationship.isOptional ? "?" : "")
        let value = relationship.isToMany && !relationship.isOptional ? " = []" : ""
        let line = "\(prefix)var \(SwiftName.property(relationship.name)): \(type)\(value)"
        return (line, relationship.isOptional || relationship.isToMany ? nil : type)
    }

    /// Returns the expression of a default value; nil if Swift has no short expression for it.
    private static func literal(_ elements: [AttributeValue]) -> String? {
        let literals = elements.compactMap { literal($0) }
        return literals.count == elements.count ? "[\(literals.joined(separator: ", "))]" : nil
    }

    private static func literal(_ value: AttributeValue) -> String? {
        switch value {
        case .integer(let number): "\(number)"
        case .decimal(let digits): SwiftLiteral.decimal(digits) == nil ? nil : digits
        case .real(let number): number.isFinite ? "\(number)" : nil
        case .string(let text): SwiftName.literal(text)
        case .boolean(let flag): "\(flag)"
        case .date(let seconds): "Date(timeIntervalSinceReferenceDate: \(seconds))"
        case .binary(let bytes): bytes.isEmpty ? "Data()" : "Data([\(bytes.map { "\($0)" }.joined(separator: ", "))])"
        case .array(let elements): Self.literal(elements)
        case .uuid, .uri, .unparsed: nil
        }
    }
}

import KeyedArchives
import PredicateExpressions

extension CompiledModelParser {
    // MARK: Attributes

    mutating func attribute(_ object: ArchivedObject, name: String) throws -> AttributeDescription {
        var attribute = AttributeDescription(name: name, type: try attributeType(of: object))
        attribute.isOptional = try object.boolean("NSIsOptional") ?? false
        attribute.isTransient = try object.boolean("NSIsTransient") ?? false
        attribute.isIndexed = try object.boolean("NSIsIndexed") ?? false
        attribute.renamingIdentifier = try renamingIdentifier(of: object, name: name)
        attribute.versionHashModifier = try object.string("NSVersionHashModifier")
        attribute.userInfo = try userInfo(of: object)
        attribute.valueTransformerName = try object.string("NSValueTransformerName")
        let flags = try object.integer("NSFlagsKey") ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & AttributeFlags.externalStorage != 0
        attribute.preservesValueInHistoryOnDeletion = flags & AttributeFlags.preservation != 0
        attribute.allowsCloudEncryption = try object.boolean("NSAllowsCloudEncryption") ?? false
        if attribute.type == .transformable {
            attribute.attributeValueClassName = try object.string("NSAttributeValueClassName")
        }
        attribute.defaultValue = try defaultValue(of: object, type: attribute.type)
        attribute.validation = try validation(of: object, type: attribute.type)
        if object.isKind(of: "NSDerivedAttributeDescription") {
            attribute.derivationExpression = try derivation(of: object)
        }
        if attribute.type == .composite {
            attribute.compositeName = try compositeName(of: object, attribute: name)
        }
        return attribute
    }

    private mutating func attributeType(of object: ArchivedObject) throws -> AttributeType {
        let number = try object.integer("NSAttributeType") ?? 0
        if let type = Int(exactly: number).flatMap(AttributeType.init(rawValue:)) {
            return type
        }
        warn(.notRepresentable("the attribute type \(number)"))
        return .undefined
    }

    private mutating func defaultValue(of object: ArchivedObject, type: AttributeType) throws -> AttributeValue? {
        let value = try object.value("NSDefaultValue")
        guard !value.isNull else { return nil }
        if let known = try AttributeValue(archived: value, type: type) {
            return known
        }
        // In some archives every composite has an empty dictionary as its default.
        if type == .composite, try value.object?.pairs()?.isEmpty == true { return nil }
        let kind = value.object?.className ?? value.scalar?.kind ?? "nil"
        warn(.notRepresentable("a default value of the kind \(kind)"))
        return nil
    }

    private mutating func derivation(of object: ArchivedObject) throws -> String {
        guard let archived = try object.object("NSDerivationExpression") else { return "" }
        if try !object.value("NSFilteringPredicate").isNull {
            warn(.notRepresentable("the filtering predicate of a derivation"))
        }
        return DerivationText.source(of: try Expression(archived: archived))
    }

    /// Returns the name of a composite type. Its elements are archived in each attribute; the type gets the name of the
    /// first attribute.
    private mutating func compositeName(of object: ArchivedObject, attribute: String) throws -> String {
        // The same limit as for resolving models; a composite that contains itself is deeper.
        guard compositeDepth < 8 else { throw object.error(.tooDeep, key: "NSCompositeElements") }
        compositeDepth += 1
        defer { compositeDepth -= 1 }
        var elements: [AttributeDescription] = []
        for element in try object.elements("NSCompositeElements") ?? [] {
            guard let element = element.object, element.isKind(of: "NSAttributeDescription") else {
                throw object.error(.typeUnexpected, key: "NSCompositeElements")
            }
            guard let name = try element.string("NSPropertyName") else {
                throw element.error(.keyMissing, key: "NSPropertyName")
            }
            elements.append(try self.attribute(element, name: name))
        }
        if let known = composites.first(where: { $0.elements == elements }) {
            return known.name
        }
        var name = attribute
        var number = 1
        while composites.contains(where: { $0.name == name }) {
            number += 1
            name = attribute + "\(number)"
        }
        composites.append(CompositeDescription(name: name, elements: elements))
        return name
    }

    // MARK: Relationships and fetched properties

    mutating func relationship(_ object: ArchivedObject, name: String) throws -> RelationshipDescription {
        let destination =
            try object.string("_NSDestinationEntityName")
            ?? object.object("NSDestinationEntity")?.string("NSEntityName")
        let maximum = Int(try object.integer("NSMaxCount") ?? 0)
        var relationship = RelationshipDescription(
            name: name, destinationEntityName: destination ?? "", isToMany: maximum != 1, maximumCount: maximum)
        relationship.inverseName =
            try object.string("_NSInverseRelationshipName")
            ?? object.object("NSInverseRelationship")?.string("NSPropertyName")
        relationship.minimumCount = Int(try object.integer("NSMinCount") ?? 0)
        relationship.isOptional = try object.boolean("NSIsOptional") ?? false
        relationship.isTransient = try object.boolean("NSIsTransient") ?? false
        relationship.isOrdered = try object.boolean("NSIsOrdered") ?? false
        relationship.isIndexed = try object.boolean("NSIsIndexed") ?? false
        relationship.renamingIdentifier = try renamingIdentifier(of: object, name: name)
        relationship.versionHashModifier = try object.string("NSVersionHashModifier")
        relationship.userInfo = try userInfo(of: object)
        let rule = try object.integer("NSDeleteRule") ?? 0
        if let known = Int(exactly: rule).flatMap(DeleteRule.init(rawValue:)) {
            relationship.deleteRule = known
        } else {
            warn(.notRepresentable("the delete rule \(rule)"))
        }
        return relationship
    }

    mutating func fetchedProperty(_ object: ArchivedObject, name: String) throws -> FetchedPropertyDescription {
        guard let request = try object.object("NSFetchRequest") else {
            throw object.error(.keyMissing, key: "NSFetchRequest")
        }
        var template = try fetchRequest(request, name: FetchedPropertyDescription.requestName)
        if template.entityName.isEmpty {
            template.entityName = try object.string("_NSFetchRequestEntityName") ?? ""
        }
        return FetchedPropertyDescription(
            name: name, fetchRequest: template, isOptional: try object.boolean("NSIsOptional") ?? false,
            userInfo: try userInfo(of: object))
    }

    mutating func fetchRequest(_ object: ArchivedObject, name: String) throws -> FetchRequestTemplate {
        var request = FetchRequestTemplate(name: name, entityName: "")
        request.entityName =
            try object.object("NSEntity")?.string("NSEntityName")
            ?? object.string("NSEntityName") ?? ""
        request.predicateFormat = try predicateFormat("NSPredicate", of: object)
        request.fetchLimit = Int(try object.integer("NSFetchLimit") ?? 0)
        request.fetchOffset = Int(try object.integer("NSFetchOffset") ?? 0)
        request.fetchBatchSize = Int(try object.integer("NSBatchSize") ?? 0)
        request.resultType = Int(try object.integer("NSResultType") ?? 0)
        request.relationshipKeyPathsForPrefetching = try object.strings("NSRelationshipKeyPathsForPrefetching") ?? []
        if try object.boolean("NSHasFetchRequestFlags") == true,
            let flags = try object.integer("NSFetchRequestFlags"), flags != FetchRequestFlags.standard
        {
            warn(.notRepresentable("the option bits \(flags) of the fetch request \(name)"))
        }
        for key in ["NSHavingPredicate", "NSValuesToFetch", "NSValuesToGroupBy"] where try !object.value(key).isNull {
            warn(.notRepresentable("\(key) of the fetch request \(name)"))
        }
        for element in try object.elements("NSSortDescriptors") ?? [] {
            guard let descriptor = element.object, let key = try descriptor.string("NSKey") else { continue }
            let selector = try descriptor.string("NSSelector")
            request.sortDescriptors.append(
                FetchSortDescriptor(
                    keyPath: key, isAscending: try descriptor.boolean("NSAscending") ?? true,
                    selectorName: selector == "compare:" ? nil : selector))
        }
        return request
    }

    /// Returns a predicate as text; nil, with a warning, if it is of a kind that has no text form.
    mutating func predicateFormat(_ key: String, of object: ArchivedObject) throws -> String? {
        guard let archived = try object.object(key) else { return nil }
        return try format(of: "a predicate") { try Predicate(archived: archived).format }
    }

    /// Returns an expression as text; nil, with a warning, if it is of a kind that has no text form.
    mutating func expressionFormat(_ key: String, of object: ArchivedObject) throws -> String? {
        guard let archived = try object.object(key) else { return nil }
        return try format(of: "an expression") { try Expression(archived: archived).format }
    }

    private mutating func format(of part: String, _ text: () throws -> String) throws -> String? {
        do {
            return try text()
        } catch let error as KeyedArchiveError where error.code == .typeUnexpected || error.code == .valueInvalid {
            warn(.notRepresentable("\(part) (\(error))"))
            return nil
        }
    }
}

extension FetchedPropertyDescription {
    /// The name of the fetch request of every fetched property in source models.
    static let requestName = "fetchedPropertyFetchRequest"
}

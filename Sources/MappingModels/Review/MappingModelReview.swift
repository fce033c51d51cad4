internal import DocumentReading
public import ManagedObjectModels
internal import PredicateExpressions
import TextEncodings

/// Checks a mapping model against its source and destination models.
public struct MappingModelReview {
    /// The problems, in the order of the mapping model.
    public private(set) var problems: [MappingModelProblem] = []

    private let mapping: MappingModel
    private let source: ResolvedModel
    private let destination: ResolvedModel
    private let sourceHashes: [String: [UInt8]]
    private let destinationHashes: [String: [UInt8]]

    /// Checks a mapping model against two models and their hashes by entity name.
    public init(
        _ mapping: MappingModel, source: ResolvedModel, destination: ResolvedModel,
        sourceHashes: [String: [UInt8]], destinationHashes: [String: [UInt8]]
    ) {
        self.mapping = mapping
        self.source = source
        self.destination = destination
        self.sourceHashes = sourceHashes
        self.destinationHashes = destinationHashes
        for entityMapping in mapping.entityMappings { review(entityMapping) }
        reviewCompleteness()
    }

    // MARK: Entities

    private mutating func review(_ entityMapping: EntityMapping) {
        let place = MappingModelPlace(entityMapping: entityMapping.name)
        let from = entity(entityMapping.sourceEntityName, in: source, "source", at: place)
        let to = entity(entityMapping.destinationEntityName, in: destination, "destination", at: place)
        reviewHash(entityMapping.sourceEntityVersionHash, of: from, sourceHashes, "source", at: place)
        reviewHash(entityMapping.destinationEntityVersionHash, of: to, destinationHashes, "destination", at: place)
        reviewFilter(entityMapping, from)
        guard let to else { return }
        let hasPolicy = entityMapping.migrationPolicyClassName != nil
        // The objects of an abstract entity belong to its subentities, which have their own mappings.
        if to.isAbstract && from?.isAbstract == false && !hasPolicy {
            report(
                .abstractDestination, "\(to.name) is abstract: it cannot have objects",
                at: place.key("destination"))
        }
        for name in entityMapping.identity?.attributes ?? [] where to.attribute(named: name) == nil {
            unknown(name, in: to.attributes.map(\.name), "\(to.name) has no attribute", at: place.key("key"))
        }
        reviewAttributes(entityMapping, from, to, hasPolicy: hasPolicy)
        reviewRelationships(entityMapping, from, to, hasPolicy: hasPolicy)
    }

    private mutating func entity(
        _ name: String?, in model: ResolvedModel, _ key: String, at place: MappingModelPlace
    ) -> ResolvedEntity? {
        guard let name else { return nil }
        if let entity = model.entity(named: name) { return entity }
        let suggestion = NearestName.find(name, among: model.entities.map(\.name)).map { "; did you mean \"\($0)\"?" }
        report(
            .unknownEntity, "the \(key) model has no entity \"\(name)\"" + (suggestion ?? ""), at: place.key(key))
        return nil
    }

    private mutating func reviewHash(
        _ hash: [UInt8]?, of entity: ResolvedEntity?, _ hashes: [String: [UInt8]], _ key: String,
        at place: MappingModelPlace
    ) {
        guard let hash, let entity, let known = hashes[entity.name], known != hash else { return }
        report(
            .hashMismatch,
            "the mapping was made for another version of \(entity.name): its hash differs from that in the \(key) model",
            at: place.key(key + "Hash"))
    }

    private mutating func reviewFilter(_ entityMapping: EntityMapping, _ from: ResolvedEntity?) {
        guard let text = entityMapping.sourceFilter else { return }
        let place = MappingModelPlace(entityMapping: entityMapping.name, key: "filter")
        do {
            let predicate = try Predicate(format: text)
            guard let from else { return }
            for names in ExpressionPaths(predicate).paths { reviewPath(names, from: from, at: place) }
        } catch {
            report(.unknownKeyPath, "the filter cannot be read: \(error)", at: place)
        }
    }

    /// Checks completeness: entities without a mapping lose their objects, or stay empty in the destination.
    private mutating func reviewCompleteness() {
        let mapped = Set(mapping.entityMappings.compactMap(\.sourceEntityName))
        for entity in source.entities where !entity.isAbstract && !mapped.contains(entity.name) {
            report(
                .notMapped, "no mapping leads from \(entity.name): its objects will be lost", at: MappingModelPlace(),
                isWarning: true)
        }
        var names: Set<String> = []
        for entityMapping in mapping.entityMappings where !names.insert(entityMapping.name).inserted {
            report(
                .duplicate, "two mappings are called \"\(entityMapping.name)\"",
                at: MappingModelPlace(entityMapping: entityMapping.name))
        }
    }

    // MARK: Properties

    private mutating func reviewAttributes(
        _ entityMapping: EntityMapping, _ from: ResolvedEntity?, _ to: ResolvedEntity, hasPolicy: Bool
    ) {
        reviewDuplicates(entityMapping.attributeMappings, of: entityMapping)
        for property in entityMapping.attributeMappings {
            let place = MappingModelPlace(entityMapping: entityMapping.name, property: property.name)
            guard let attribute = to.attribute(named: property.name) else {
                if to.relationship(named: property.name) != nil {
                    report(.misplaced, "\(property.name) is a relationship; map it among the relationships", at: place)
                } else {
                    unknown(property.name, in: to.attributes.map(\.name), "\(to.name) has no attribute", at: place)
                }
                continue
            }
            if attribute.isDerived && property.valueExpression != nil {
                report(.misplaced, "\(property.name) is derived: Core Data computes it", at: place)
            }
            reviewValue(property, of: attribute, entityMapping, from, at: place.key("value"))
        }
        // An addition does not make objects itself, but for example policies do.
        guard entityMapping.sourceEntityName != nil else { return }
        let filled = Set(entityMapping.attributeMappings.filter { $0.valueExpression != nil }.map(\.name))
        for attribute in to.attributes where attribute.isStored && !attribute.isDerived && !attribute.isOptional {
            guard attribute.description.defaultValue == nil, !filled.contains(attribute.name) else { continue }
            report(
                .requiredNotFilled,
                "\(to.name).\(attribute.name) is required, has no default, and no expression fills it"
                    + (hasPolicy ? " (the policy has to)" : ""),
                at: MappingModelPlace(entityMapping: entityMapping.name), isWarning: hasPolicy)
        }
    }

    private mutating func reviewValue(
        _ property: PropertyMapping, of attribute: ResolvedAttribute, _ entityMapping: EntityMapping,
        _ from: ResolvedEntity?, at place: MappingModelPlace
    ) {
        guard let text = property.valueExpression, let written = parsed(text, at: place), let from else { return }
        let expression = entityMapping.replacingVariables(in: written, of: property)
        let count = problems.count
        if attribute.type == .composite, SourcePath.names(of: expression) == nil {
            report(
                .typeMismatch,
                "\(attribute.name) is composite, and takes another one, as in $source.\(attribute.name); or "
                    + "map its elements", at: place)
        }
        for names in ExpressionPaths(expression).paths { reviewPath(names, from: from, at: place) }
        guard count == problems.count, let names = SourcePath.names(of: expression),
            let path = SourcePath(expression, from: from, in: source)
        else { return }
        guard path.valuePath == nil else { return }
        guard let origin = path.attribute else {
            return report(
                .typeMismatch,
                "\(text) gives objects, and \(attribute.name) is an attribute of type "
                    + attribute.type.name, at: place)
        }
        if !Self.fits(origin.type, attribute.type) {
            let remedy =
                attribute.type.valueClassName.map { "convert it, as in CAST(\(text), \"\($0)\")" }
                ?? "write another expression"
            report(
                .typeMismatch,
                "\(from.name).\(names.joined(separator: ".")) is of type \(origin.type.name) and \(attribute.name) of type "
                    + "\(attribute.type.name); \(remedy)", at: place)
        }
    }

    private mutating func reviewRelationships(
        _ entityMapping: EntityMapping, _ from: ResolvedEntity?, _ to: ResolvedEntity, hasPolicy: Bool
    ) {
        reviewDuplicates(entityMapping.relationshipMappings, of: entityMapping)
        for property in entityMapping.relationshipMappings {
            let place = MappingModelPlace(entityMapping: entityMapping.name, property: property.name)
            guard let relationship = to.relationship(named: property.name) else {
                if to.attribute(named: property.name) != nil {
                    report(.misplaced, "\(property.name) is an attribute; map it among the attributes", at: place)
                } else {
                    unknown(
                        property.name, in: to.relationships.map(\.name), "\(to.name) has no relationship", at: place)
                }
                continue
            }
            if property.choice != nil && relationship.isToMany {
                report(.misplaced, "\(property.name) is to-many and takes all objects", at: place.key("choose"))
            }
            if let name = property.sourceMappingName, mapping.entityMapping(named: name) == nil {
                unknownMapping(name, at: place.key("mapping"))
            }
            guard let text = property.valueExpression, let expression = parsed(text, at: place.key("value")) else {
                continue
            }
            reviewDestinations(expression, from, at: place.key("value"))
        }
    }

    /// Checks the names in a call of the migration manager: that of a mapping or a relationship, and the path to the
    /// source objects.
    private mutating func reviewDestinations(
        _ expression: Expression, _ from: ResolvedEntity?, at place: MappingModelPlace
    ) {
        guard case .invocation(.variable("manager"), let selector, let arguments) = expression, arguments.count == 2,
            case .constant(.string(let name)) = arguments[0]
        else { return }
        if selector.hasPrefix("destinationInstancesForEntityMappingNamed"), mapping.entityMapping(named: name) == nil {
            unknownMapping(name, at: place)
        }
        guard let from, let names = SourcePath.names(of: arguments[1]) else { return }
        guard let path = SourcePath(arguments[1], from: from, in: source) else {
            return reviewPath(names, from: from, at: place)
        }
        if path.attribute != nil {
            report(.typeMismatch, "\(names.joined(separator: ".")) gives values and no objects", at: place)
        }
    }

    private mutating func reviewDuplicates(_ properties: [PropertyMapping], of entityMapping: EntityMapping) {
        var names: Set<String> = []
        for property in properties where !names.insert(property.name).inserted {
            report(
                .duplicate, "\(property.name) is mapped twice",
                at: MappingModelPlace(entityMapping: entityMapping.name, property: property.name))
        }
    }

    // MARK: Words

    private mutating func parsed(_ text: String, at place: MappingModelPlace) -> Expression? {
        do {
            return try Expression(format: text)
        } catch {
            report(.unknownKeyPath, "the expression cannot be read: \(error)", at: place)
            return nil
        }
    }

    /// Reports the first name of a path that its entity does not have.
    private mutating func reviewPath(_ names: [String], from: ResolvedEntity, at place: MappingModelPlace) {
        var slot = from.slot
        for (index, name) in names.enumerated() {
            // Operators such as @count are between names, and apply to the names before or after them.
            if name.hasPrefix("@") { continue }
            let entity = source.entities[slot]
            guard let relationship = entity.relationship(named: name) else {
                // A name after an attribute is a key of its value, or of a composite.
                let rest = names[index...]
                let isKnown =
                    rest.indices.contains { end in
                        entity.attribute(named: rest[...end].joined(separator: ".")) != nil
                    } || entity.description.fetchedProperties.contains { $0.name == name }
                return isKnown
                    ? ()
                    : unknown(
                        name, in: entity.attributes.map(\.name) + entity.relationships.map(\.name),
                        "\(entity.name) of the source model has no property", kind: .unknownKeyPath, at: place)
            }
            slot = relationship.destination
        }
    }

    private mutating func unknownMapping(_ name: String, at place: MappingModelPlace) {
        unknown(
            name, in: mapping.entityMappings.map(\.name), "there is no entity mapping", kind: .unknownMapping, at: place
        )
    }

    private mutating func unknown(
        _ name: String, in known: [String], _ words: String, kind: MappingModelProblem.Kind = .unknownProperty,
        at place: MappingModelPlace
    ) {
        let suggestion = NearestName.find(name, among: known).map { "; did you mean \"\($0)\"?" }
        report(kind, "\(words) \"\(name)\"" + (suggestion ?? ""), at: place)
    }

    private mutating func report(
        _ kind: MappingModelProblem.Kind, _ sentence: String, at place: MappingModelPlace, isWarning: Bool = false
    ) {
        problems.append(MappingModelProblem(kind, sentence, at: place, isWarning: isWarning))
    }

    /// Returns whether Core Data accepts a value of one type for the other: all numbers are `NSNumber`, and all data is
    /// `NSData`.
    private static func fits(_ source: AttributeType, _ destination: AttributeType) -> Bool {
        func family(_ type: AttributeType) -> Int {
            switch type {
            case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: 0
            default: type.rawValue
            }
        }
        // The type of values in a transformable or an undefined attribute is unknown.
        let isOpen = [source, destination].contains { $0 == .transformable || $0 == .undefined }
        return isOpen || family(source) == family(destination)
    }
}

extension MappingModelPlace {
    /// Returns a key of this part.
    func key(_ key: String) -> MappingModelPlace {
        MappingModelPlace(entityMapping: entityMapping, property: property, key: key)
    }
}

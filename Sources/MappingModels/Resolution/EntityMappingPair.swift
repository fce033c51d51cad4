internal import ManagedObjectModels
internal import PredicateExpressions

/// An entity mapping with resolved names that maps the objects of one entity to those of another.
struct EntityMappingPair {
    let mapping: EntityMapping
    let source: ResolvedEntity
    let destination: ResolvedEntity

    /// The source properties that provide values, by the names of the destination's properties.
    private(set) var attributes: [String: String] = [:]
    private(set) var relationships: [String: String] = [:]

    /// The entity mapping that made a relationship's objects, by the names of the destination's relationships, if one
    /// is named.
    private(set) var makers: [String: String] = [:]

    /// Returns nil if some source objects are left out or merged, or if a property is computed.
    init?(_ mapping: EntityMapping, source: ResolvedEntity, destination: ResolvedEntity) {
        guard mapping.sourceFilter.map({ $0 == "TRUEPREDICATE" }) ?? true, mapping.sourceExpression == nil,
            mapping.migrationPolicyClassName == nil, mapping.identity == nil
        else { return nil }
        self.mapping = mapping
        self.source = source
        self.destination = destination
        guard readAttributes(), readRelationships() else { return nil }
    }

    private mutating func readAttributes() -> Bool {
        // A derived attribute is not part of a mapping: it is kept if inference pairs it.
        let inferred = PropertyCorrespondence(source: source, destination: destination)
        for attribute in destination.attributes where attribute.isDerived || !attribute.isStored {
            attributes[attribute.name] = inferred.sourceAttributes[attribute.name].map { source.attributes[$0].name }
        }
        var used = Set(attributes.values)
        for property in mapping.attributeMappings {
            guard property.transforms.isEmpty else { return false }
            guard property.valueExpression != nil else { continue }
            guard let attribute = destination.attribute(named: property.name), attribute.isStored,
                !attribute.isDerived, let old = origin(of: attribute, property), used.insert(old).inserted
            else { return false }
            attributes[attribute.name] = old
        }
        return true
    }

    /// Returns the name of the source attribute that is copied, as by inference.
    private func origin(of attribute: ResolvedAttribute, _ property: PropertyMapping) -> String? {
        guard let expression = expression(of: property) else { return nil }
        // Inference replaces missing values of required attributes by the default value.
        let isFilled = !attribute.isOptional && attribute.description.defaultForMigration != nil
        if let names = SourcePath.names(of: expression) {
            // An element of a composite has a dot in its name.
            guard let old = source.attribute(named: names.joined(separator: ".")), old.isStored,
                !(isFilled && old.isOptional)
            else { return nil }
            return old.name
        }
        guard isFilled, let constant = attribute.description.defaultForMigration?.constant,
            case .conditional(_, _, .keyPath(.variable("source"), let name)) = expression,
            let old = source.attribute(named: name), old.isStored, old.isOptional,
            let filled = try? Expression(format: MappingExpressionText.value(of: name, orDefault: constant)),
            filled == expression
        else { return nil }
        return old.name
    }

    private mutating func readRelationships() -> Bool {
        for property in mapping.relationshipMappings {
            guard property.transforms.isEmpty, property.choice == nil else { return false }
            guard property.valueExpression != nil else { continue }
            guard let expression = expression(of: property) else { return false }
            if expression == .constant(.null) { continue }
            guard let relationship = destination.relationship(named: property.name), relationship.isStored,
                let instances = DestinationInstances(expression), let names = SourcePath.names(of: instances.path),
                names.count == 1, let old = source.relationship(named: names[0]), old.isStored,
                !relationships.values.contains(old.name)
            else { return false }
            relationships[relationship.name] = old.name
            if case .mapping(let name) = instances.makers { makers[relationship.name] = name }
        }
        return true
    }

    private func expression(of property: PropertyMapping) -> Expression? {
        guard let text = property.valueExpression, let written = try? Expression(format: text) else { return nil }
        return mapping.replacingVariables(in: written, of: property)
    }

    /// Returns the source relationship from which a destination relationship gets its links.
    func origin(of relationship: ResolvedRelationship) -> ResolvedRelationship? {
        relationships[relationship.name].flatMap(source.relationship)
    }
}

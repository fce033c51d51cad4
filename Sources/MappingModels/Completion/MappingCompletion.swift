public import ManagedObjectModels
internal import PredicateExpressions

/// Fills in what Xcode's mapping compiler adds from the two models: types, hashes, and missing expressions.
///
/// The rules are known from a compiled mapping model and its source: an attribute gets the value of the source's
/// attribute with the same name; a relationship gets the destination objects of one entity mapping if only one can have
/// made them, otherwise those of the source's relationship.
public struct MappingCompletion {
    private let source: ResolvedModel
    private let destination: ResolvedModel
    private let sourceHashes: [String: [UInt8]]
    private let destinationHashes: [String: [UInt8]]

    /// Prepares to complete mapping models between two models, with the hashes of both by entity name.
    public init(
        source: ResolvedModel, destination: ResolvedModel, sourceHashes: [String: [UInt8]],
        destinationHashes: [String: [UInt8]]
    ) {
        self.source = source
        self.destination = destination
        self.sourceHashes = sourceHashes
        self.destinationHashes = destinationHashes
    }

    /// Returns the mapping model with all types, hashes and expressions. Names that are not in the models stay as they
    /// are.
    public func completed(_ model: MappingModel) -> MappingModel {
        var result = model
        for index in result.entityMappings.indices {
            complete(&result.entityMappings[index], in: model)
        }
        return result
    }

    private func complete(_ mapping: inout EntityMapping, in model: MappingModel) {
        let from = mapping.sourceEntityName.flatMap(source.entity)
        let to = mapping.destinationEntityName.flatMap(destination.entity)
        mapping.sourceEntityVersionHash =
            mapping.sourceEntityVersionHash ?? from.flatMap { sourceHashes[$0.name] }
        mapping.destinationEntityVersionHash =
            mapping.destinationEntityVersionHash ?? to.flatMap { destinationHashes[$0.name] }
        defer { if mapping.type == .undefined { mapping.type = type(of: mapping) } }
        guard let to else { return }
        for property in mapping.attributeMappings { addElements(of: property, to, from, to: &mapping) }
        complete(&mapping.attributeMappings, names: to.attributes.filter { $0.isStored && !$0.isDerived }.map(\.name))
        complete(&mapping.relationshipMappings, names: to.relationships.filter(\.isStored).map(\.name))
        for index in mapping.attributeMappings.indices {
            let property = mapping.attributeMappings[index]
            guard property.valueExpression == nil, property.isExpressionGenerated == true,
                let attribute = from?.attribute(named: property.name), attribute.isStored
            else { continue }
            mapping.attributeMappings[index].valueExpression = Self.sourceValue(property.name)
        }
        for index in mapping.relationshipMappings.indices {
            complete(&mapping.relationshipMappings[index], of: to, from: from, in: model)
        }
    }

    /// Expands a composite that is mapped as a whole: each of its elements gets the source's element with the same
    /// name.
    private func addElements(
        of property: PropertyMapping, _ entity: ResolvedEntity, _ from: ResolvedEntity?, to mapping: inout EntityMapping
    ) {
        guard entity.attribute(named: property.name)?.type == .composite, property.isExpressionGenerated != true else {
            return
        }
        let expression = property.valueExpression.flatMap { try? Expression(format: $0) }
        let path = expression.flatMap { SourcePath.names(of: $0) }?.joined(separator: ".")
        for element in entity.attributes where element.isStored && element.name.hasPrefix(property.name + ".") {
            guard !mapping.attributeMappings.contains(where: { $0.name == element.name }) else { continue }
            let value = path.map { Self.sourceValue($0 + element.name.dropFirst(property.name.count)) }
            let isKnown = value.flatMap { try? Expression(format: $0) }.flatMap { expression in
                from.flatMap { SourcePath(expression, from: $0, in: source)?.attribute?.isStored }
            }
            mapping.attributeMappings.append(
                PropertyMapping(name: element.name, valueExpression: isKnown == true ? value : nil))
        }
    }

    /// Adds missing properties: compilers list all properties of the destination, sorted by name.
    private func complete(_ properties: inout [PropertyMapping], names: [String]) {
        let present = Set(properties.map(\.name))
        properties += names.filter { !present.contains($0) }.map {
            PropertyMapping(name: $0, isExpressionGenerated: true)
        }
        properties.sort { $0.name < $1.name }
    }

    private func type(of mapping: EntityMapping) -> EntityMappingType {
        if mapping.migrationPolicyClassName != nil { return .custom }
        if mapping.sourceEntityName == nil { return .add }
        if mapping.destinationEntityName == nil { return .remove }
        // Xcode calls a mapping a copy if the values are unchanged, even between versions with different hashes.
        let isCopy = mapping.attributeMappings.allSatisfy { $0.valueExpression == Self.sourceValue($0.name) }
        return isCopy ? .copy : .transform
    }

    // MARK: Relationships

    private func complete(
        _ property: inout PropertyMapping, of entity: ResolvedEntity, from: ResolvedEntity?, in model: MappingModel
    ) {
        guard let relationship = entity.relationship(named: property.name), property.isExpressionGenerated == true
        else { return }
        var path = property.sourceKeyPath
        if let text = property.valueExpression {
            // An expression for source objects represents the path to them.
            guard let expression = try? Expression(format: text), Self.isSourcePath(expression) else { return }
            path = text
        } else if path == nil {
            let isNamed = from?.relationship(named: property.name)?.isStored == true
            guard isNamed else { return }
            path = Self.sourceValue(property.name)
        }
        guard let path else { return }
        let names =
            property.sourceMappingName.map { [$0] }
            ?? mappings(to: relationship.destination, for: path, from: from, in: model)
        if names.count == 1 {
            property.valueExpression = Self.destinations(ofMapping: names[0], path: path)
        } else if let name = Self.relationshipName(path) {
            property.valueExpression = Self.destinations(ofRelationship: name, path: path)
        }
    }

    /// Returns the entity mappings that can have made objects from those at the end of a path.
    private func mappings(
        to destinationSlot: Int, for path: String, from: ResolvedEntity?, in model: MappingModel
    ) -> [String] {
        var sourceSlot: Int?
        if let from, let expression = try? Expression(format: path) {
            sourceSlot = SourcePath(expression, from: from, in: source)?.entity
        }
        return model.entityMappings.filter { mapping in
            guard let from = mapping.sourceEntityName.flatMap(source.slot),
                let to = mapping.destinationEntityName.flatMap(destination.slot)
            else { return false }
            let isSource = sourceSlot.map { source.isKind(from, of: $0) || source.isKind($0, of: from) } ?? true
            return isSource && destination.isKind(to, of: destinationSlot)
        }.map(\.name)
    }

    private static func isSourcePath(_ expression: Expression) -> Bool {
        switch expression {
        case .variable("source"): true
        case .keyPath(.variable("source"), _): true
        case .invocation(.variable("source"), let selector, _): selector.hasPrefix("valueForKey")
        default: false
        }
    }

    /// Returns the last name of a path from `$source`, which may also be `$source` itself.
    private static func relationshipName(_ path: String) -> String? {
        guard let expression = try? Expression(format: path), case .keyPath(_, let names) = expression else {
            return nil
        }
        return names.split(separator: ".").last.map(String.init)
    }

    static func sourceValue(_ name: String) -> String {
        Expression.keyPath(name, on: .variable("source")).format
    }

    private static func destinations(ofMapping name: String, path: String) -> String? {
        invocation("destinationInstancesForEntityMappingNamed:sourceInstances:", name, path)
    }

    private static func destinations(ofRelationship name: String, path: String) -> String? {
        invocation("destinationInstancesForSourceRelationshipNamed:sourceInstances:", name, path)
    }

    private static func invocation(_ selector: String, _ name: String, _ path: String) -> String? {
        guard let path = try? Expression(format: path) else { return nil }
        return Expression.invocation(
            target: .variable("manager"), selector: selector, arguments: [.constant(.string(name)), path]
        ).format
    }
}

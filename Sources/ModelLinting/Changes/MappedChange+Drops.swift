internal import DocumentReading
internal import ManagedObjectModels
internal import MappingModels
internal import PredicateExpressions

extension MappedChange {
    /// The findings for properties and objects that the mapping model drops from entities that it maps, although
    /// inference would keep them.
    var drops: [LintFinding] {
        change.source.model.entities.flatMap { entity -> [LintFinding] in
            let mappings = mapping.entityMappings.filter {
                $0.sourceEntityName == entity.name && $0.destinationEntityName != nil
            }
            guard coverage.takesUp(entity.name) else { return [] }
            return (entity.isAbstract ? [] : droppedObjects(of: entity, by: mappings))
                + mappings.flatMap { choices(of: $0, from: entity) } + unreadProperties(of: entity)
        }
    }

    private func droppedObjects(of entity: ResolvedEntity, by mappings: [EntityMapping]) -> [LintFinding] {
        let separate = mappings.filter { !unites($0, from: entity) }
        guard let first = mappings.first, !takeAll(separate) else { return [] }
        let reason =
            takeAll(mappings)
            ? "source objects with equal keys become one object, and the values of the others are dropped"
            : "objects that \(mappings.count == 1 ? "the filter does" : "all filters do") not accept are dropped"
        let united = takeAll(mappings) ? mappings.first { unites($0, from: entity) } : nil
        return [finding(entity.name, nil, reason, at: MappingModelPlace(entityMapping: (united ?? first).name))]
    }

    /// Returns whether several source objects can have the same key, because the source does not enforce uniqueness of
    /// the attributes.
    private func unites(_ mapping: EntityMapping, from entity: ResolvedEntity) -> Bool {
        guard let identity = mapping.identity else { return false }
        let copied = mapping.attributeMappings.compactMap { property -> String? in
            guard identity.attributes.contains(property.name),
                let value = property.valueExpression.flatMap({ try? Expression(format: $0) }),
                let names = SourcePath.names(of: value), names.count == 1
            else { return nil }
            return names[0]
        }
        let model = change.source.model
        let kin = model.entities.filter { $0.subtree.contains(entity.slot) }
        return !kin.flatMap(\.description.uniquenessConstraints).contains { Set($0).isSubset(of: copied) }
    }

    /// Returns whether the mappings together include every object of their entity: one has no filter, or two filters
    /// are opposites.
    private func takeAll(_ mappings: [EntityMapping]) -> Bool {
        if mappings.contains(where: { $0.sourceFilter == nil && $0.sourceExpression == nil }) { return true }
        let filters = mappings.compactMap { mapping in
            mapping.sourceExpression == nil ? mapping.sourceFilter.flatMap { try? Predicate(format: $0) } : nil
        }
        let parts = Set(
            filters.flatMap { filter in
                if case .or(let parts) = filter { parts } else { [filter] }
            })
        return parts.contains { part in
            switch part {
            case .constant(let isTrue): return isTrue
            case .not(let other): return parts.contains(other)
            case .comparison(var comparison):
                guard comparison.modifier == .direct, let opposite = Self.opposites[comparison.comparisonOperator]
                else { return false }
                comparison.comparisonOperator = opposite
                guard parts.contains(.comparison(comparison)) else { return false }
                // NULL is neither above nor below.
                return opposite == .equal || opposite == .notEqual
                    || parts.contains(.comparison(comparison.left, .equal, .constant(.null)))
            case .and, .or: return false
            }
        }
    }

    private static let opposites: [ComparisonOperator: ComparisonOperator] = [
        .equal: .notEqual, .notEqual: .equal, .lessThan: .greaterThanOrEqual, .greaterThanOrEqual: .lessThan,
        .greaterThan: .lessThanOrEqual, .lessThanOrEqual: .greaterThan,
    ]

    /// Returns findings for to-one relationships that get one of several objects at the end of a to-many path.
    private func choices(of mapping: EntityMapping, from entity: ResolvedEntity) -> [LintFinding] {
        mapping.relationshipMappings.compactMap { property in
            guard let choice = property.choice,
                let value = property.valueExpression.flatMap({ try? Expression(format: $0) })
            else { return nil }
            let isToMany = ExpressionPaths(value).paths.contains { names in
                let path = Expression.keyPath(names.joined(separator: "."), on: .variable("source"))
                return SourcePath(path, from: entity, in: change.source.model)?.isToMany ?? false
            }
            guard isToMany else { return nil }
            return finding(
                mapping.destinationEntityName, property.name,
                "of several objects only the \(choice.rawValue) stays linked",
                at: MappingModelPlace(entityMapping: mapping.name, property: property.name))
        }
    }

    /// Returns findings for properties that exist in the new version as well, but whose values no entity mapping reads.
    private func unreadProperties(of entity: ResolvedEntity) -> [LintFinding] {
        let correspondence = change.correspondence
        let attributes = entity.declaredAttributes.compactMap { attribute -> ResolvedAttribute? in
            guard attribute.isStored, !attribute.isDerived, !coverage.reads(attribute.name, of: entity.name) else {
                return nil
            }
            return correspondence.destinationAttribute(for: attribute.name, in: entity.slot)
        }
        let relationships = entity.declaredRelationships.compactMap { relationship -> ResolvedRelationship? in
            guard relationship.isStored, !coverage.reads(relationship.name, of: entity.name),
                coverage.takesUp(change.source.model.entities[relationship.destination].name)
            else { return nil }
            // Links can be read from either side.
            if let inverse = relationship.inverse,
                coverage.reads(inverse.name, of: change.source.model.entities[inverse.owner].name)
            {
                return nil
            }
            return correspondence.destinationRelationship(for: relationship.name, in: entity.slot)
        }
        let name = correspondence.destinationEntity(of: entity.slot)?.name
        return attributes.map {
            change.finding(
                .lostData, entity: name, property: $0.name, "no entity mapping reads its values, and they are dropped")
        }
            + relationships.map {
                change.finding(
                    .lostData, entity: name, property: $0.name,
                    "no entity mapping reads its links, and they are dropped"
                )
            }
    }

    private func finding(
        _ entity: String?, _ property: String?, _ message: String, at place: MappingModelPlace
    ) -> LintFinding {
        let location = document.location(of: place)
        return LintFinding(
            .lostData, version: change.destination.name, entity: entity, property: property, file: location.file,
            line: location.line, message: message)
    }
}

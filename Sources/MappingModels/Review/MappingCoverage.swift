public import ManagedObjectModels
internal import PredicateExpressions

/// Which parts of two models a mapping model takes care of: what it reads of the one, and computes in the other.
///
/// The code of a policy may read and compute more; nothing is known of that.
public struct MappingCoverage {
    private let source: ResolvedModel
    private let destination: ResolvedModel
    /// What is read of source entities, by all mappings of each.
    private var read: [EntityPart] = []
    /// What gets a value in destination entities, and what of that is more than a property's own value.
    private var filled: [EntityPart] = []
    private var computed: [EntityPart] = []

    /// Properties of an entity in one entity mapping.
    private struct EntityPart {
        let slot: Int
        var properties: Set<String>
    }

    /// Looks at all parts of two models.
    /// - Parameters:
    ///   - mapping: a complete mapping model (`MappingCompletion`).
    ///   - source: the model that stores have.
    ///   - destination: the model that they are migrated to.
    public init(_ mapping: MappingModel, source: ResolvedModel, destination: ResolvedModel) {
        self.source = source
        self.destination = destination
        for entityMapping in mapping.entityMappings {
            guard let from = entityMapping.sourceEntityName.flatMap(source.entity(named:)),
                let to = entityMapping.destinationEntityName.flatMap(destination.entity(named:))
            else { continue }
            var (read, filled, computed) = (Set<String>(), Set<String>(), Set<String>())
            for property in entityMapping.attributeMappings + entityMapping.relationshipMappings {
                guard let text = property.valueExpression, let written = try? Expression(format: text) else { continue }
                let expression = entityMapping.replacingVariables(in: written, of: property)
                let paths = ExpressionPaths(expression).paths
                for path in paths { read.formUnion(path.indices.map { path[...$0].joined(separator: ".") }) }
                filled.insert(property.name)
                // A value that is only taken over may be what inference would take over as well.
                if SourcePath.names(of: expression)?.count != 1 { computed.insert(property.name) }
            }
            if let place = self.read.firstIndex(where: { $0.slot == from.slot }) {
                self.read[place].properties.formUnion(read)
            } else {
                self.read.append(EntityPart(slot: from.slot, properties: read))
            }
            self.filled.append(EntityPart(slot: to.slot, properties: filled))
            self.computed.append(EntityPart(slot: to.slot, properties: computed))
        }
    }

    /// Whether objects of a source entity become objects of the destination; of an abstract one those of a subentity.
    public func takesUp(_ entity: String) -> Bool {
        guard let entity = source.entity(named: entity) else { return false }
        return parts(read, of: entity).contains { entity.isAbstract || $0.slot == entity.slot }
    }

    /// Whether objects of a destination entity are made of objects of the source.
    public func makes(_ entity: String) -> Bool {
        destination.entity(named: entity).map { !parts(filled, of: $0).isEmpty } ?? false
    }

    /// Whether a value is made of a source property, wherever objects of the entity or a subentity are taken up.
    public func reads(_ property: String, of entity: String) -> Bool {
        source.entity(named: entity).map { holds(property, in: parts(read, of: $0)) } ?? false
    }

    /// Whether a destination property gets a value wherever objects of the entity or a subentity are made.
    public func fills(_ property: String, of entity: String) -> Bool {
        destination.entity(named: entity).map { holds(property, in: parts(filled, of: $0)) } ?? false
    }

    /// Whether an expression, and not only a property's own value, gives a destination property its value wherever
    /// objects of the entity or a subentity are made.
    public func computes(_ property: String, of entity: String) -> Bool {
        destination.entity(named: entity).map { holds(property, in: parts(computed, of: $0)) } ?? false
    }

    private func parts(_ parts: [EntityPart], of entity: ResolvedEntity) -> [EntityPart] {
        parts.filter { entity.subtree.contains($0.slot) }
    }

    private func holds(_ property: String, in parts: [EntityPart]) -> Bool {
        !parts.isEmpty && parts.allSatisfy { $0.properties.contains(property) }
    }
}

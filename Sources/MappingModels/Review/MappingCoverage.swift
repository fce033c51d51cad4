public import ManagedObjectModels
internal import PredicateExpressions

/// The parts of two models that a mapping model handles: those that it reads in the source, and computes in the
/// destination.
///
/// The code of a policy may read and compute more, which is not known here.
public struct MappingCoverage {
    private let source: ResolvedModel
    private let destination: ResolvedModel
    /// The parts of source entities that are read, by all mappings of each.
    private var read: [EntityPart] = []
    /// The parts of destination entities that get values, and those whose values are computed.
    private var filled: [EntityPart] = []
    private var computed: [EntityPart] = []

    /// Properties of an entity in one entity mapping.
    private struct EntityPart {
        let slot: Int
        var properties: Set<String>
    }

    /// Determines the coverage of two models.
    /// - Parameters:
    ///   - mapping: a complete mapping model (`MappingCompletion`).
    ///   - source: the model of existing stores.
    ///   - destination: the model to which they are migrated.
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
                // Inference might copy an unchanged value as well.
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

    /// Returns whether objects of a source entity are mapped to the destination; for an abstract entity, those of a
    /// subentity.
    public func takesUp(_ entity: String) -> Bool {
        guard let entity = source.entity(named: entity) else { return false }
        return parts(read, of: entity).contains { entity.isAbstract || $0.slot == entity.slot }
    }

    /// Returns whether objects of a destination entity are made from objects of the source.
    public func makes(_ entity: String) -> Bool {
        destination.entity(named: entity).map { !parts(filled, of: $0).isEmpty } ?? false
    }

    /// Returns whether a source property is used for a value in all mappings of the entity or a subentity.
    public func reads(_ property: String, of entity: String) -> Bool {
        source.entity(named: entity).map { holds(property, in: parts(read, of: $0)) } ?? false
    }

    /// Returns whether a destination property gets a value in all mappings that make objects of the entity or a
    /// subentity.
    public func fills(_ property: String, of entity: String) -> Bool {
        destination.entity(named: entity).map { holds(property, in: parts(filled, of: $0)) } ?? false
    }

    /// Returns whether a destination property gets a computed value, not only a copied one, in all mappings that make
    /// objects of the entity or a subentity.
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

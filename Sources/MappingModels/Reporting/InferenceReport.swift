internal import ManagedObjectModels

/// An inferred mapping for scripts: the mapping of each entity and property, and the failures.
public struct InferenceReport: Sendable, Hashable, Codable {
    /// Whether a mapping can be inferred.
    public enum Verdict: String, Sendable, Hashable, Codable {
        /// A mapping can be inferred, and works for any data.
        case inferable
        /// A mapping can be inferred, but fails for some data.
        case dataDependent = "data-dependent"
        /// No mapping can be inferred.
        case refused
    }

    /// Whether a mapping can be inferred.
    public let verdict: Verdict
    /// The entity mappings, in the order of the mapping model.
    public let entityMappings: [Entity]

    /// The failures of the mapping, refusals first.
    public let failures: [Failure]

    /// The mapping of an entity.
    public struct Entity: Sendable, Hashable, Codable {
        /// The name of the entity mapping.
        public let name: String

        /// The type in lower case: add, copy, transform, remove.
        public let type: String

        /// The source entity; nil for a new one.
        public let source: String?
        /// The destination entity; nil for a removed one.
        public let destination: String?
        /// The mappings of the destination's attributes.
        public let attributes: [Property]
        /// The mappings of the destination's relationships.
        public let relationships: [Property]

        /// The source's properties that are missing from the destination.
        public let dropped: [String]
    }

    /// The mapping of a property of the destination.
    public struct Property: Sendable, Hashable, Codable {
        /// The name of the destination's property.
        public let name: String

        /// The source's property; nil if there is none.
        public let source: String?

        /// The expression of the mapping model; nil for a new or derived property.
        public let valueExpression: String?
    }

    /// A failure of the mapping.
    public struct Failure: Sendable, Hashable, Codable {
        /// The name of the kind of failure.
        public let code: String
        /// Core Data's error number.
        public let cocoaCode: Int
        /// Whether it fails only for stores with objects of a certain kind.
        public let isDataDependent: Bool
        /// The entity that the failure is about: the destination's, or the very entity concerned if the failure depends
        /// on data.
        public let entity: String
        /// The property of the destination; nil if it is about the entity.
        public let property: String?
        /// The problem, as a clause.
        public let problem: String
        /// The remedy, as a clause.
        public let remedy: String
    }

    /// Makes the report of an inferred mapping.
    public init(_ mapping: InferredMapping) {
        verdict =
            mapping.isInferable ? mapping.failures.isEmpty ? .inferable : .dataDependent : .refused
        entityMappings = mapping.mappingModel.entityMappings.map { Entity($0, in: mapping.correspondence) }
        failures = mapping.failures.map { failure in
            Failure(
                code: failure.code.name, cocoaCode: failure.cocoaCode, isDataDependent: failure.isDataDependent,
                entity: failure.entity, property: failure.property, problem: failure.problem,
                remedy: failure.remedy)
        }
    }
}

extension InferenceReport.Entity {
    fileprivate init(_ mapping: EntityMapping, in correspondence: ModelCorrespondence) {
        name = mapping.name
        type = mapping.type.name.lowercased()
        source = mapping.sourceEntityName
        destination = mapping.destinationEntityName
        let slot = mapping.destinationEntityName.flatMap(correspondence.destination.slot)
        attributes = mapping.attributeMappings.map { property in
            InferenceReport.Property(
                name: property.name,
                source: property.valueExpression == nil
                    ? nil : slot.flatMap { correspondence.sourceAttribute(for: property.name, in: $0)?.name },
                valueExpression: property.valueExpression)
        }
        relationships = mapping.relationshipMappings.map { property in
            InferenceReport.Property(
                name: property.name,
                source: slot.flatMap { correspondence.sourceRelationship(for: property.name, in: $0)?.name },
                valueExpression: property.valueExpression)
        }
        guard mapping.type != .remove, let entity = mapping.sourceEntityName.flatMap(correspondence.source.entity)
        else {
            dropped = []
            return
        }
        let attributes = entity.attributes.filter {
            $0.isStored && correspondence.destinationAttribute(for: $0.name, in: entity.slot) == nil
        }
        let relationships = entity.relationships.filter {
            $0.isStored && correspondence.destinationRelationship(for: $0.name, in: entity.slot) == nil
        }
        dropped = (attributes.map(\.name) + relationships.map(\.name)).sorted()
    }
}

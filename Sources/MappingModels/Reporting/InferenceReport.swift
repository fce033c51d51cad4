internal import ManagedObjectModels

/// An inferred mapping as a script reads it: what each entity and property becomes, and what stands against it.
public struct InferenceReport: Sendable, Hashable, Codable {
    public enum Verdict: String, Sendable, Hashable, Codable {
        case inferable
        /// Inferable, but some data would make the migration fail.
        case dataDependent = "data-dependent"
        case refused
    }

    public let verdict: Verdict
    public let entityMappings: [Entity]

    /// Refusals first.
    public let failures: [Failure]

    public struct Entity: Sendable, Hashable, Codable {
        public let name: String

        /// In lower case: add, copy, transform, remove.
        public let type: String

        public let source: String?
        public let destination: String?
        public let attributes: [Property]
        public let relationships: [Property]

        /// The source's properties that have no place in the destination.
        public let dropped: [String]
    }

    public struct Property: Sendable, Hashable, Codable {
        public let name: String

        /// The source's property; nil if there is none.
        public let source: String?

        /// The expression of the mapping model; nil for a new or derived one.
        public let valueExpression: String?
    }

    public struct Failure: Sendable, Hashable, Codable {
        public let code: String
        public let cocoaCode: Int
        public let isDataDependent: Bool
        public let entity: String
        public let property: String?
        public let problem: String
        public let remedy: String
    }

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

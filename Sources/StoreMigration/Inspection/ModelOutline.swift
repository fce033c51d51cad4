import ManagedObjectModels

/// What a model says of its entities and their properties, for people and scripts.
public struct ModelOutline: Sendable, Codable {
    public struct Attribute: Sendable, Codable {
        public let name: String
        public let type: String
        public let isOptional: Bool
        public let isTransient: Bool
        public let defaultValue: String?
        public let derivation: String?
    }

    public struct Relationship: Sendable, Codable {
        public let name: String
        public let destination: String
        public let inverse: String?
        public let isToMany: Bool
        public let isOrdered: Bool
        public let isOptional: Bool
        public let minimumCount: Int
        public let maximumCount: Int
        public let deleteRule: String
    }

    public struct Entity: Sendable, Codable {
        public let name: String
        public let parent: String?
        public let isAbstract: Bool
        public let className: String?

        /// Its own ones, without those of its parents.
        public let attributes: [Attribute]
        public let relationships: [Relationship]
        public let fetchedProperties: [String]
        public let uniquenessConstraints: [[String]]
        public let indexes: [String]
    }

    /// The version's name; that of the store's file, where the store carries the model.
    public let name: String

    /// The configuration that the store holds; nil for the whole model.
    public let configuration: String?

    /// In Core Data's numbering: subentities after their parents.
    public let entities: [Entity]

    public init(_ version: VersionedModel) {
        name = version.name
        configuration = version.configuration
        entities = version.model.entities.map { Self.entity($0.description) }
    }

    private static func entity(_ entity: EntityDescription) -> Entity {
        Entity(
            name: entity.name, parent: entity.superentityName, isAbstract: entity.isAbstract,
            className: entity.managedObjectClassName,
            attributes: entity.attributes.map { attribute in
                Attribute(
                    name: attribute.name, type: attribute.type.name, isOptional: attribute.isOptional,
                    isTransient: attribute.isTransient, defaultValue: attribute.defaultValue?.text,
                    derivation: attribute.derivationExpression)
            },
            relationships: entity.relationships.map { relationship in
                Relationship(
                    name: relationship.name, destination: relationship.destinationEntityName,
                    inverse: relationship.inverseName, isToMany: relationship.isToMany,
                    isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
                    minimumCount: relationship.minimumCount, maximumCount: relationship.maximumCount,
                    deleteRule: relationship.deleteRule.name)
            }, fetchedProperties: entity.fetchedProperties.map(\.name),
            uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.fetchIndexes.map(\.name))
    }
}

public import ManagedObjectModels

/// What a model says of its entities and their properties, for people and scripts.
public struct ModelOutline: Sendable, Codable {
    public struct Attribute: Sendable, Codable {
        public let name: String
        /// What it is called in the language that was chosen; nil if that is its name.
        public let localizedName: String?
        public let type: String
        public let isOptional: Bool
        public let isTransient: Bool
        public let defaultValue: String?
        public let derivation: String?
        /// Validation predicates, each with its warning.
        public let rules: [String]
    }

    public struct Relationship: Sendable, Codable {
        public let name: String
        public let localizedName: String?
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
        public let localizedName: String?
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

    /// - Parameter localization: the texts of the model in a language.
    public init(_ version: VersionedModel, localization: LocalizationDictionary? = nil) {
        name = version.name
        configuration = version.configuration
        let texts = localization ?? LocalizationDictionary()
        entities = version.model.entities.map { Self.entity($0.description, texts) }
    }

    private static func entity(_ entity: EntityDescription, _ texts: LocalizationDictionary) -> Entity {
        Entity(
            name: entity.name, localizedName: texts.otherName(ofEntity: entity.name), parent: entity.superentityName,
            isAbstract: entity.isAbstract,
            className: entity.managedObjectClassName,
            attributes: entity.attributes.map { attribute in
                Attribute(
                    name: attribute.name, localizedName: texts.otherName(ofProperty: attribute.name, of: entity.name),
                    type: attribute.type.name, isOptional: attribute.isOptional,
                    isTransient: attribute.isTransient, defaultValue: attribute.defaultValue?.text,
                    derivation: attribute.derivationExpression,
                    rules: attribute.validation.otherPredicates.map { rule in
                        rule.predicateFormat + (rule.warning.map { ": " + texts.errorString($0) } ?? "")
                    })
            },
            relationships: entity.relationships.map { relationship in
                Relationship(
                    name: relationship.name,
                    localizedName: texts.otherName(ofProperty: relationship.name, of: entity.name),
                    destination: relationship.destinationEntityName,
                    inverse: relationship.inverseName, isToMany: relationship.isToMany,
                    isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
                    minimumCount: relationship.minimumCount, maximumCount: relationship.maximumCount,
                    deleteRule: relationship.deleteRule.name)
            }, fetchedProperties: entity.fetchedProperties.map(\.name),
            uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.fetchIndexes.map(\.name))
    }
}

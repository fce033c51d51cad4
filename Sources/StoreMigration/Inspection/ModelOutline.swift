public import ManagedObjectModels

/// The entities of a model and their properties, for users and scripts.
public struct ModelOutline: Sendable, Codable {
    /// An attribute of an entity.
    public struct Attribute: Sendable, Codable {
        /// The attribute's name; for an element of a composite attribute, its path.
        public let name: String
        /// The name in the selected language; nil if there is none.
        public let localizedName: String?
        /// The type, as it is called in source models.
        public let type: String
        /// Whether an object may be saved without a value.
        public let isOptional: Bool
        /// Whether the value exists in memory only.
        public let isTransient: Bool
        /// The default value, as text; nil if there is none.
        public let defaultValue: String?
        /// The expression that computes the value; nil if the attribute is not derived.
        public let derivation: String?
        /// The validation predicates, each with its warning.
        public let rules: [String]
    }

    /// A relationship of an entity.
    public struct Relationship: Sendable, Codable {
        /// The relationship's name.
        public let name: String
        /// The name in the selected language; nil if there is none.
        public let localizedName: String?
        /// The name of the destination entity.
        public let destination: String
        /// The name of the inverse relationship; nil if there is none.
        public let inverse: String?
        /// Whether it is a to-many relationship.
        public let isToMany: Bool
        /// Whether the objects of a to-many relationship have an order.
        public let isOrdered: Bool
        /// Whether an object may be saved without a destination.
        public let isOptional: Bool
        /// The smallest number of destinations.
        public let minimumCount: Int
        /// The largest number of destinations; 0 for no limit.
        public let maximumCount: Int
        /// The delete rule, as it is called in source models.
        public let deleteRule: String
    }

    /// An entity with its properties.
    public struct Entity: Sendable, Codable {
        /// The entity's name.
        public let name: String
        /// The name in the selected language; nil if there is none.
        public let localizedName: String?
        /// The name of the superentity; nil if there is none.
        public let parent: String?
        /// Whether only its subentities can have objects.
        public let isAbstract: Bool
        /// The class of its objects; nil for NSManagedObject.
        public let className: String?

        /// Its own attributes, without inherited ones.
        public let attributes: [Attribute]
        /// Its own relationships, without inherited ones.
        public let relationships: [Relationship]
        /// The names of its fetched properties.
        public let fetchedProperties: [String]
        /// The uniqueness constraints, each as the names of its properties.
        public let uniquenessConstraints: [[String]]
        /// The names of its fetch indexes.
        public let indexes: [String]
    }

    /// The version's name; for a model in a store, the name of the store's file.
    public let name: String

    /// The configuration of the store; nil for the whole model.
    public let configuration: String?

    /// The entities, in the order in which Core Data numbers them: subentities after their superentities.
    public let entities: [Entity]

    /// Describes a version.
    /// - Parameters:
    ///   - version: the version, with its model resolved.
    ///   - localization: the localized names of the model in a language.
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

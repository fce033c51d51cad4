/// A single thing that a model says of an entity, a property, or itself, and that may differ between versions.
public enum ModelFacet: String, Sendable, Hashable, Codable, CaseIterable {
    // Of entities.
    /// Whether the entity can have no objects of its own.
    case abstract
    /// How Xcode generates the entity's class.
    case codeGeneration
    /// An index of several properties, as they were before fetch indexes.
    case compoundIndex
    /// A fetch index.
    case fetchIndex
    /// The class of the entity's objects.
    case managedObjectClass
    /// The entity that it inherits from.
    case parent
    /// The expression for the name under which Spotlight shows an object.
    case spotlightDisplayName
    /// A uniqueness constraint.
    case uniquenessConstraint

    // Of properties.
    /// The entity that declares the property.
    case declaringEntity
    /// The flag "indexed", which came before fetch indexes.
    case indexed
    /// Whether an object may be saved without a value.
    case optional
    /// Whether the property exists in memory only.
    case transient
    /// The flag "stored in truth file" of the external record.
    case truthFile
    /// Whether Spotlight finds objects by the property.
    case spotlight

    // Of attributes.
    /// Whether CloudKit encrypts the value.
    case cloudEncryption
    /// The composite that an attribute is of.
    case composite
    /// The value of new objects.
    case defaultValue
    /// The expression that computes the value.
    case derivation
    /// Whether large values may be files of their own.
    case externalStorage
    /// The greatest value or length that is valid.
    case maximum
    /// The smallest value or length that is valid.
    case minimum
    /// The regular expression that valid texts match.
    case pattern
    /// Whether persistent history keeps the value of a deleted object.
    case preservedInHistory
    /// Whether generated classes use a scalar type.
    case scalarValues
    /// The type of the attribute's values.
    case type
    /// Another predicate that valid values satisfy.
    case validation
    /// The class of a transformable attribute's values.
    case valueClass
    /// The value transformer of a transformable attribute.
    case valueTransformer

    // Of relationships.
    /// Whether the relationship is to-one or to-many.
    case cardinality
    /// What becomes of the destinations when an object is deleted.
    case deleteRule
    /// The entity that the relationship leads to.
    case destination
    /// The relationship that is the other direction.
    case inverse
    /// The greatest number of destinations.
    case maximumCount
    /// The least number of destinations.
    case minimumCount
    /// Whether the destinations have an order.
    case ordered

    // Of fetched properties.
    /// The fetch request of a fetched property.
    case fetchRequest

    // Of several.
    /// The text that gives an entity or property another version hash.
    case hashModifier
    /// The identifier by which a later version finds what was renamed.
    case renamingIdentifier
    /// The flag `syncable` of source models.
    case syncable
    /// A key of the user info.
    case userInfo

    // Of the model.
    /// A composite attribute type.
    case compositeType
    /// A configuration.
    case configuration
    /// A fetch request template.
    case fetchRequestTemplate
    /// The model version identifiers.
    case versionIdentifiers

    /// The words for it in a sentence or a table.
    public var label: String {
        switch self {
        case .abstract: "abstract"
        case .codeGeneration: "code generation"
        case .compoundIndex: "compound index"
        case .fetchIndex: "fetch index"
        case .managedObjectClass: "class"
        case .parent: "parent entity"
        case .spotlightDisplayName: "Spotlight display name"
        case .uniquenessConstraint: "uniqueness constraint"
        case .declaringEntity: "declared by"
        case .indexed: "indexed"
        case .optional: "optional"
        case .transient: "transient"
        case .truthFile: "stored in truth file"
        case .spotlight: "indexed by Spotlight"
        case .cloudEncryption: "cloud encryption"
        case .composite: "composite"
        case .defaultValue: "default value"
        case .derivation: "derivation"
        case .externalStorage: "external storage"
        case .maximum: "maximum"
        case .minimum: "minimum"
        case .pattern: "regular expression"
        case .preservedInHistory: "preserved in history"
        case .scalarValues: "scalar type"
        case .type: "type"
        case .validation: "validation predicate"
        case .valueClass: "value class"
        case .valueTransformer: "value transformer"
        case .cardinality: "cardinality"
        case .deleteRule: "delete rule"
        case .destination: "destination"
        case .inverse: "inverse"
        case .maximumCount: "maximum count"
        case .minimumCount: "minimum count"
        case .ordered: "ordered"
        case .fetchRequest: "fetch request"
        case .hashModifier: "hash modifier"
        case .renamingIdentifier: "renaming identifier"
        case .syncable: "syncable"
        case .userInfo: "user info"
        case .compositeType: "composite type"
        case .configuration: "configuration"
        case .fetchRequestTemplate: "fetch request template"
        case .versionIdentifiers: "version identifiers"
        }
    }
}

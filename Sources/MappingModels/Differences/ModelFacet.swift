/// A single aspect of an entity, a property, or the model itself that may differ between versions.
public enum ModelFacet: String, Sendable, Hashable, Codable, CaseIterable {
    // Of entities.
    /// Whether the entity can have no objects of its own.
    case abstract
    /// How Xcode generates the entity's class.
    case codeGeneration
    /// A compound index, which fetch indexes have replaced.
    case compoundIndex
    /// A fetch index.
    case fetchIndex
    /// The class of the entity's objects.
    case managedObjectClass
    /// The superentity.
    case parent
    /// The expression for the name under which Spotlight shows an object.
    case spotlightDisplayName
    /// A uniqueness constraint.
    case uniquenessConstraint

    // Of properties.
    /// The entity that declares the property.
    case declaringEntity
    /// The flag "indexed", which fetch indexes have replaced.
    case indexed
    /// Whether an object may be saved without a value.
    case optional
    /// Whether the property exists in memory only.
    case transient
    /// The flag "stored in truth file" of the external record.
    case truthFile
    /// Whether Spotlight indexes the property.
    case spotlight

    // Of attributes.
    /// Whether CloudKit encrypts the value.
    case cloudEncryption
    /// The composite type of an attribute.
    case composite
    /// The value of new objects.
    case defaultValue
    /// The expression that computes the value.
    case derivation
    /// Whether large values may be stored in files of their own.
    case externalStorage
    /// The maximum valid value or length.
    case maximum
    /// The minimum valid value or length.
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
    /// What happens to the destinations when an object is deleted.
    case deleteRule
    /// The entity that the relationship leads to.
    case destination
    /// The inverse relationship.
    case inverse
    /// The maximum number of destinations.
    case maximumCount
    /// The minimum number of destinations.
    case minimumCount
    /// Whether the destinations are ordered.
    case ordered

    // Of fetched properties.
    /// The fetch request of a fetched property.
    case fetchRequest

    // Of several.
    /// The text that changes the version hash of an entity or property.
    case hashModifier
    /// The identifier by which a later version finds a renamed entity or property.
    case renamingIdentifier
    /// The flag `syncable` of source models.
    case syncable
    /// An entry of the user info.
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

    /// The name of the facet in a sentence or a table.
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

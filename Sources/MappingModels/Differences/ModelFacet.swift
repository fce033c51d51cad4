/// A single thing that a model says of an entity, a property, or itself, and that may differ between versions.
public enum ModelFacet: String, Sendable, Hashable, Codable, CaseIterable {
    // Of entities.
    case abstract
    case codeGeneration
    case compoundIndex
    case fetchIndex
    case managedObjectClass
    case parent
    case spotlightDisplayName
    case uniquenessConstraint

    // Of properties.
    case declaringEntity
    case indexed
    case optional
    case transient
    case truthFile
    case spotlight

    // Of attributes.
    case cloudEncryption
    case composite
    case defaultValue
    case derivation
    case externalStorage
    case maximum
    case minimum
    case pattern
    case preservedInHistory
    case scalarValues
    case type
    case validation
    case valueClass
    case valueTransformer

    // Of relationships.
    case cardinality
    case deleteRule
    case destination
    case inverse
    case maximumCount
    case minimumCount
    case ordered

    // Of fetched properties.
    case fetchRequest

    // Of several.
    case hashModifier
    case renamingIdentifier
    case syncable
    case userInfo

    // Of the model.
    case compositeType
    case configuration
    case fetchRequestTemplate
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

/// The attributes of all elements of a source model.
enum ContentsField: String {
    case name
    case value
    case key
    case entity
    case property
    case type
    case order
    case expression

    // The model.
    case documentVersion
    case lastSavedToolsVersion
    case systemVersion
    case minimumToolsVersion
    case macOSVersion
    case iOSVersion
    case sourceLanguage
    case usedWithCloudKit
    case usedWithSwiftData
    case userDefinedModelVersionIdentifier

    // Entities.
    case representedClassName
    case isAbstract
    case parentEntity
    case codeGenerationType
    case coreSpotlightDisplayNameExpression

    // Entities and properties.
    case elementID
    case renamingIdentifier
    case versionHashModifier
    case syncable

    // Properties.
    case optional
    case transient
    case indexed
    case spotlightIndexingEnabled
    case storedInTruthFile

    // Attributes.
    case attributeType
    case defaultValueString
    case defaultDateTimeInterval
    case minValueString
    case minDateTimeInterval
    case maxValueString
    case maxDateTimeInterval
    case regularExpressionString
    case usesScalarValueType
    case valueTransformerName
    case customClassName
    case allowsExternalBinaryDataStorage
    case preserveAfterDeletion
    case allowsCloudEncryption
    case derived
    case derivationExpression
    case composite

    // Relationships.
    case toMany
    case ordered
    case minCount
    case maxCount
    case deletionRule
    case destinationEntity
    case inverseName
    case inverseEntity

    // Fetch requests and indexes.
    case predicateString
    case partialIndexPredicate
    case fetchLimit
    case fetchBatchSize
    case resultType
    case includeSubentities
    case includePropertyValues
    case includesPendingChanges
    case returnObjectsAsFaults
    case returnDistinctResults

    // The diagram.
    case positionX
    case positionY
    case width
    case height
}

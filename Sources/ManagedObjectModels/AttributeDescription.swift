/// An attribute of an entity, or an element of a composite.
public struct AttributeDescription: Sendable, Hashable {
    public var name: String
    public var type: AttributeType
    public var isOptional: Bool
    public var isTransient: Bool

    /// The "indexed" flag that came before fetch indexes.
    public var isIndexed: Bool

    /// The name that it had in an earlier version; nil if it is the name itself.
    public var renamingIdentifier: String?

    public var versionHashModifier: String?
    public var userInfo: [String: String]

    /// The value of new objects, of the attribute's type; `.unparsed` where the model's text does not fit the type.
    public var defaultValue: AttributeValue?

    public var validation: AttributeValidation

    /// The name of the composite where the type is `.composite`.
    public var compositeName: String?

    /// The derivation in the predicate format language, where the attribute is derived.
    public var derivationExpression: String?

    /// The value transformer of a transformable attribute.
    public var valueTransformerName: String?

    /// The class of a transformable attribute's values.
    public var attributeValueClassName: String?

    public var allowsExternalBinaryDataStorage: Bool
    public var preservesValueInHistoryOnDeletion: Bool
    public var allowsCloudEncryption: Bool

    /// Xcode's "use scalar type" for generated classes; nil if the model is silent.
    public var usesScalarValueType: Bool?

    public var isSyncable: Bool
    public var isSpotlightIndexed: Bool
    public var isStoredInTruthFile: Bool

    public init(
        name: String, type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
        isIndexed: Bool = false, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
        userInfo: [String: String] = [:], defaultValue: AttributeValue? = nil,
        validation: AttributeValidation = AttributeValidation(), compositeName: String? = nil,
        derivationExpression: String? = nil, valueTransformerName: String? = nil,
        attributeValueClassName: String? = nil, allowsExternalBinaryDataStorage: Bool = false,
        preservesValueInHistoryOnDeletion: Bool = false, allowsCloudEncryption: Bool = false,
        usesScalarValueType: Bool? = nil, isSyncable: Bool = true, isSpotlightIndexed: Bool = false,
        isStoredInTruthFile: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isIndexed = isIndexed
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.defaultValue = defaultValue
        self.validation = validation
        self.compositeName = compositeName
        self.derivationExpression = derivationExpression
        self.valueTransformerName = valueTransformerName
        self.attributeValueClassName = attributeValueClassName
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        self.allowsCloudEncryption = allowsCloudEncryption
        self.usesScalarValueType = usesScalarValueType
        self.isSyncable = isSyncable
        self.isSpotlightIndexed = isSpotlightIndexed
        self.isStoredInTruthFile = isStoredInTruthFile
    }

    /// Whether the value is computed by the store from other values.
    public var isDerived: Bool { derivationExpression != nil }
}

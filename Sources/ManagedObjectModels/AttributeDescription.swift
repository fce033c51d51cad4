/// An attribute of an entity, or an element of a composite.
public struct AttributeDescription: Sendable, Hashable {
    /// The attribute's name, which is unique in its entity.
    public var name: String
    /// The type of the attribute's values.
    public var type: AttributeType
    /// Whether an object may be saved without a value.
    public var isOptional: Bool
    /// Whether the value exists in memory only, and not in a store.
    public var isTransient: Bool

    /// The "indexed" flag, which fetch indexes have replaced.
    public var isIndexed: Bool

    /// The name in an earlier version; nil if it is the same name.
    public var renamingIdentifier: String?

    /// A text that a developer sets to change the attribute's version hash; nil if there is none.
    public var versionHashModifier: String?
    /// Arbitrary keys and values.
    public var userInfo: [String: String]

    /// The default value of new objects, of the attribute's type; nil for none, and `.unparsed` if the model's text
    /// does not fit the type.
    public var defaultValue: AttributeValue?

    /// The constraints on values beyond their type.
    public var validation: AttributeValidation

    /// The name of the composite; nil unless the type is `.composite`.
    public var compositeName: String?

    /// The derivation in the predicate format language; nil unless the attribute is derived.
    public var derivationExpression: String?

    /// The name of a transformable attribute's value transformer; nil if the model names none.
    public var valueTransformerName: String?

    /// The class of a transformable attribute's values; nil if the model names none.
    public var attributeValueClassName: String?

    /// Whether a store may keep large values in files of their own.
    public var allowsExternalBinaryDataStorage: Bool
    /// Whether values in a store are tagged as data or as the name of a file. Only binary data can be external, even if
    /// `allowsExternalBinaryDataStorage` is set for attributes of other types.
    public var hasExternalData: Bool {
        allowsExternalBinaryDataStorage && (type == .binaryData || type == .transformable)
    }
    /// Whether persistent history keeps the value of a deleted object.
    public var preservesValueInHistoryOnDeletion: Bool
    /// Whether the value is encrypted in CloudKit if the store is mirrored there.
    public var allowsCloudEncryption: Bool

    /// Xcode's "use scalar type" for generated classes; nil if the model does not specify it.
    public var usesScalarValueType: Bool?

    /// False if a source model has `syncable="NO"`.
    public var isSyncable: Bool
    /// Whether Spotlight indexes the value.
    public var isSpotlightIndexed: Bool
    /// Whether Spotlight stores the value in the external record file of the object; earlier systems only.
    public var isStoredInTruthFile: Bool

    /// Makes an attribute; the defaults are those of Xcode for a new attribute, except that a value is required.
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

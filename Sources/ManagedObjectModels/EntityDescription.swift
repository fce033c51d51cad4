/// An entity of a managed object model with the properties that it declares itself.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name, which is unique in its model.
    public var name: String

    /// The class of its objects; nil for NSManagedObject.
    public var managedObjectClassName: String?

    /// Whether only its subentities can have objects.
    public var isAbstract: Bool

    /// The name of the entity that it inherits from; nil for a root entity.
    public var superentityName: String?

    /// The name in an earlier version (`elementID` in a source model); nil if it is the same name.
    public var renamingIdentifier: String?

    /// A text that a developer sets to change the entity's version hash; nil if there is none.
    public var versionHashModifier: String?

    /// Arbitrary keys and values.
    public var userInfo: [String: String]

    /// The attributes that it declares itself, without inherited ones.
    public var attributes: [AttributeDescription]
    /// The relationships that it declares itself, without inherited ones.
    public var relationships: [RelationshipDescription]
    /// The fetched properties that it declares itself, without inherited ones.
    public var fetchedProperties: [FetchedPropertyDescription]
    /// The indexes that the entity declares itself.
    public var fetchIndexes: [FetchIndexDescription]

    /// The uniqueness constraints, each as the names of its attributes in declared order.
    public var uniquenessConstraints: [[String]]

    /// The compound indexes, which fetch indexes have replaced: property names, in declared order.
    public var compoundIndexes: [[String]]

    /// False if a source model has `syncable="NO"`.
    public var isSyncable: Bool

    /// Xcode's code generation for the class: `none`, `class` or `category`; nil if the model does not specify it.
    public var codeGenerationType: String?

    /// The expression for the name under which Spotlight shows an object, in the predicate format language; nil for
    /// none.
    public var coreSpotlightDisplayNameExpression: String?

    /// Makes an entity; by default it has no properties.
    public init(
        name: String, managedObjectClassName: String? = nil, isAbstract: Bool = false, superentityName: String? = nil,
        renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        fetchedProperties: [FetchedPropertyDescription] = [], fetchIndexes: [FetchIndexDescription] = [],
        uniquenessConstraints: [[String]] = [], compoundIndexes: [[String]] = [], isSyncable: Bool = true,
        codeGenerationType: String? = nil, coreSpotlightDisplayNameExpression: String? = nil
    ) {
        self.name = name
        self.managedObjectClassName = managedObjectClassName
        self.isAbstract = isAbstract
        self.superentityName = superentityName
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.attributes = attributes
        self.relationships = relationships
        self.fetchedProperties = fetchedProperties
        self.fetchIndexes = fetchIndexes
        self.uniquenessConstraints = uniquenessConstraints
        self.compoundIndexes = compoundIndexes
        self.isSyncable = isSyncable
        self.codeGenerationType = codeGenerationType
        self.coreSpotlightDisplayNameExpression = coreSpotlightDisplayNameExpression
    }
}

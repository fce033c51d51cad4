/// A relationship of an entity to another one, or to itself.
public struct RelationshipDescription: Sendable, Hashable {
    /// The relationship's name, which is unique in its entity.
    public var name: String
    /// The name of the entity that it leads to.
    public var destinationEntityName: String

    /// The name of the destination's relationship that is the inverse; nil if the relationship is unidirectional.
    public var inverseName: String?

    /// Whether it leads to any number of objects, not only one.
    public var isToMany: Bool
    /// Whether the objects of a to-many relationship are ordered.
    public var isOrdered: Bool
    /// Whether an object may be saved without a destination.
    public var isOptional: Bool
    /// Whether the relationship exists in memory only, and not in a store.
    public var isTransient: Bool

    /// The minimum number of destinations, as given in the model.
    public var minimumCount: Int

    /// The maximum number of destinations; 0 for no limit, 1 for to-one.
    public var maximumCount: Int

    /// What happens to the destinations when an object is deleted.
    public var deleteRule: DeleteRule

    /// The name in an earlier version; nil if it is the same name.
    public var renamingIdentifier: String?

    /// A text that a developer sets to change the relationship's version hash; nil if there is none.
    public var versionHashModifier: String?
    /// Arbitrary keys and values.
    public var userInfo: [String: String]
    /// The "indexed" flag, which fetch indexes have replaced.
    public var isIndexed: Bool
    /// False if a source model has `syncable="NO"`.
    public var isSyncable: Bool
    /// Whether Spotlight indexes the relationship.
    public var isSpotlightIndexed: Bool
    /// Whether Spotlight stores the relationship in the external record file of the object; earlier systems only.
    public var isStoredInTruthFile: Bool

    /// Makes a relationship; by default, a to-many has no maximum count, and a to-one has a maximum of one.
    public init(
        name: String, destinationEntityName: String, inverseName: String? = nil, isToMany: Bool = false,
        isOrdered: Bool = false, isOptional: Bool = true, isTransient: Bool = false, minimumCount: Int = 0,
        maximumCount: Int? = nil, deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: String] = [:], isIndexed: Bool = false,
        isSyncable: Bool = true, isSpotlightIndexed: Bool = false, isStoredInTruthFile: Bool = false
    ) {
        self.name = name
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
        self.deleteRule = deleteRule
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.isIndexed = isIndexed
        self.isSyncable = isSyncable
        self.isSpotlightIndexed = isSpotlightIndexed
        self.isStoredInTruthFile = isStoredInTruthFile
    }
}

/// A relationship of an entity to another one, or to itself.
public struct RelationshipDescription: Sendable, Hashable {
    /// The relationship's name, which is unique in its entity.
    public var name: String
    /// The name of the entity that it leads to.
    public var destinationEntityName: String

    /// The relationship of the destination that is this one's other direction; nil if it is unidirectional.
    public var inverseName: String?

    /// Whether it leads to any number of objects instead of one.
    public var isToMany: Bool
    /// Whether the objects of a to-many relationship have an order.
    public var isOrdered: Bool
    /// Whether an object may be saved without a destination.
    public var isOptional: Bool
    /// Whether the relationship exists in memory only: no store has it.
    public var isTransient: Bool

    /// The least number of destinations, as the model says it.
    public var minimumCount: Int

    /// The greatest number of destinations; 0 for no limit, 1 for to-one.
    public var maximumCount: Int

    /// What becomes of the destinations when an object is deleted.
    public var deleteRule: DeleteRule

    /// The name that it had in an earlier version; nil if it is the name itself.
    public var renamingIdentifier: String?

    /// A text that a developer sets to give the relationship another version hash; nil if there is none.
    public var versionHashModifier: String?
    /// Free keys and values.
    public var userInfo: [String: String]
    /// The "indexed" flag that came before fetch indexes.
    public var isIndexed: Bool
    /// False where a source model says `syncable="NO"`.
    public var isSyncable: Bool
    /// Whether Spotlight finds objects by the relationship.
    public var isSpotlightIndexed: Bool
    /// Whether Spotlight finds it in the external record file of the object; earlier systems only.
    public var isStoredInTruthFile: Bool

    /// Makes a relationship; without a maximum it has none if it is to-many, and one destination otherwise.
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

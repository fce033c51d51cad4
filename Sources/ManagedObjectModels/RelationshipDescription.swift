/// A relationship of an entity to another one, or to itself.
public struct RelationshipDescription: Sendable, Hashable {
    public var name: String
    public var destinationEntityName: String

    /// The relationship of the destination that is this one's other direction; nil if it is unidirectional.
    public var inverseName: String?

    public var isToMany: Bool
    public var isOrdered: Bool
    public var isOptional: Bool
    public var isTransient: Bool

    /// The least number of destinations, as the model says it.
    public var minimumCount: Int

    /// The greatest number of destinations; 0 for no limit, 1 for to-one.
    public var maximumCount: Int

    public var deleteRule: DeleteRule

    /// The name that it had in an earlier version; nil if it is the name itself.
    public var renamingIdentifier: String?

    public var versionHashModifier: String?
    public var userInfo: [String: String]
    public var isIndexed: Bool
    public var isSyncable: Bool
    public var isSpotlightIndexed: Bool
    public var isStoredInTruthFile: Bool

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

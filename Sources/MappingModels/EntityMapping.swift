/// How the objects of one entity become objects of another one.
public struct EntityMapping: Sendable, Hashable {
    /// The name by which other mappings refer to it, unique in the mapping model.
    public var name: String

    /// What the mapping does with the objects.
    public var type: EntityMappingType

    /// The entity whose objects are mapped; nil if the type is `.add`.
    public var sourceEntityName: String?

    /// 32 bytes; nil if there is no source entity, or its hash is not known.
    public var sourceEntityVersionHash: [UInt8]?

    /// The entity that the objects become; nil if the type is `.remove`.
    public var destinationEntityName: String?

    /// 32 bytes; nil if there is no destination entity, or its hash is not known.
    public var destinationEntityVersionHash: [UInt8]?

    /// How the attributes of the destination get their values.
    public var attributeMappings: [PropertyMapping]
    /// How the relationships of the destination get their objects.
    public var relationshipMappings: [PropertyMapping]

    /// Which source objects take part, in the predicate format language; nil for all.
    public var sourceFilter: String?

    /// The expression that fetches the source objects; nil for the usual fetch of the entity with the filter.
    public var sourceExpression: String?

    /// The class of the policy that the mapping names; nil for the usual behaviour.
    public var migrationPolicyClassName: String?

    /// Makes one object of all whose values of some attributes are equal; nil if each source makes its own.
    ///
    /// Core Data has no such thing: in its own forms it stands in `userInfo`, where its policies may read it.
    public var identity: MappingIdentity?

    /// Free keys and values, which policies read.
    public var userInfo: [String: String]

    /// Makes an entity mapping; what is not given is absent.
    public init(
        name: String, type: EntityMappingType, sourceEntityName: String? = nil,
        sourceEntityVersionHash: [UInt8]? = nil, destinationEntityName: String? = nil,
        destinationEntityVersionHash: [UInt8]? = nil, attributeMappings: [PropertyMapping] = [],
        relationshipMappings: [PropertyMapping] = [], sourceFilter: String? = nil, sourceExpression: String? = nil,
        migrationPolicyClassName: String? = nil, identity: MappingIdentity? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.sourceEntityName = sourceEntityName
        self.sourceEntityVersionHash = sourceEntityVersionHash
        self.destinationEntityName = destinationEntityName
        self.destinationEntityVersionHash = destinationEntityVersionHash
        self.attributeMappings = attributeMappings
        self.relationshipMappings = relationshipMappings
        self.sourceFilter = sourceFilter
        self.sourceExpression = sourceExpression
        self.migrationPolicyClassName = migrationPolicyClassName
        self.identity = identity
        self.userInfo = userInfo
    }

    /// The source expression, spelled out where it is the usual one; nil if there is no source entity.
    public var effectiveSourceExpression: String? {
        if let sourceExpression { return sourceExpression }
        guard let sourceEntityName else { return nil }
        return MappingExpressionText.fetch(entity: sourceEntityName, filter: sourceFilter ?? "TRUEPREDICATE")
    }
}

/// A mapping of the objects of one entity to objects of another one.
public struct EntityMapping: Sendable, Hashable {
    /// The name by which other mappings refer to it, unique in the mapping model.
    public var name: String

    /// The type of the mapping.
    public var type: EntityMappingType

    /// The entity whose objects are mapped; nil if the type is `.add`.
    public var sourceEntityName: String?

    /// The hash of the source entity, 32 bytes; nil if there is no source entity, or its hash is not known.
    public var sourceEntityVersionHash: [UInt8]?

    /// The entity to whose objects they are mapped; nil if the type is `.remove`.
    public var destinationEntityName: String?

    /// The hash of the destination entity, 32 bytes; nil if there is no destination entity, or its hash is not known.
    public var destinationEntityVersionHash: [UInt8]?

    /// The mappings that provide the values of the destination's attributes.
    public var attributeMappings: [PropertyMapping]
    /// The mappings that provide the objects of the destination's relationships.
    public var relationshipMappings: [PropertyMapping]

    /// The predicate that selects the source objects, in the predicate format language; nil for all.
    public var sourceFilter: String?

    /// The expression that fetches the source objects; nil for the default fetch of the entity with the filter.
    public var sourceExpression: String?

    /// The class of the mapping's migration policy; nil for the default behavior.
    public var migrationPolicyClassName: String?

    /// The identity by which source objects with equal values of some attributes become one object; nil if each source
    /// object becomes its own.
    ///
    /// Core Data does not have this feature: in its own forms the identity is in `userInfo`, where policies can read
    /// it.
    public var identity: MappingIdentity?

    /// Arbitrary keys and values, which policies can read.
    public var userInfo: [String: String]

    /// Makes an entity mapping; values that are not given are absent.
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

    /// The source expression, including the default one; nil if there is no source entity.
    public var effectiveSourceExpression: String? {
        if let sourceExpression { return sourceExpression }
        guard let sourceEntityName else { return nil }
        return MappingExpressionText.fetch(entity: sourceEntityName, filter: sourceFilter ?? "TRUEPREDICATE")
    }
}

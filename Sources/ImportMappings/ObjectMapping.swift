/// A mapping of a record, or a part of it, to an object of one entity.
public struct ObjectMapping: Hashable, Sendable, Codable {
    /// The id by which relationships of the same record refer to the object; nil if none does.
    public var id: String?

    /// The name of the entity.
    public var entity: String

    /// The id of the mapping whose parts of the record contain those of this one; nil for the whole record.
    public var parent: String?

    /// The path of the parts that become objects, within the parent's part, such as `orders[*]`; nil for the parent's
    /// part itself.
    ///
    /// Paths of attributes and relationships start at such a part.
    public var records: String?

    /// The condition on parts that become objects, with paths from the part on; nil for a source's only object.
    public var filter: RecordFilter?

    /// The attributes or to-one relationships that identify objects; empty for the model's uniqueness constraint.
    public var key: [String]

    /// The values by which other records of the import refer to the object, and for which the model has no attributes.
    ///
    /// They are known only during the import, and are not stored. Empty if there are none.
    public var sourceKey: [ValueOrigin]

    /// What to do with an existing object that has the record's key.
    public var onMatch: MatchPolicy
    /// What to do with a record whose key no object has.
    public var onMissing: MissingPolicy

    /// Whether to delete objects of the entity that are in no record, and parts that are no longer in their owner's
    /// record.
    public var mirrors: Bool

    /// The mappings of attributes.
    public var attributes: [AttributeMapping]
    /// The mappings of relationships.
    public var relationships: [RelationshipMapping]

    /// Makes the mapping of an object; the defaults are those of a mapping file.
    public init(
        id: String? = nil, entity: String, parent: String? = nil, records: String? = nil,
        filter: RecordFilter? = nil, key: [String] = [], sourceKey: [ValueOrigin] = [],
        onMatch: MatchPolicy = .update, onMissing: MissingPolicy = .create, mirrors: Bool = false,
        attributes: [AttributeMapping] = [], relationships: [RelationshipMapping] = []
    ) {
        self.id = id
        self.entity = entity
        self.parent = parent
        self.records = records
        self.filter = filter
        self.key = key
        self.sourceKey = sourceKey
        self.onMatch = onMatch
        self.onMissing = onMissing
        self.mirrors = mirrors
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// What to do with an existing object that has a record's key.
public enum MatchPolicy: String, Sendable, CaseIterable, Codable {
    /// Its mapped values are replaced by the record's.
    case update
    /// Only its NULL values are filled.
    case fill
    /// It stays unchanged.
    case skip
    /// The record is rejected.
    case error
}

/// What to do with a record whose key no object has.
public enum MissingPolicy: String, Sendable, CaseIterable, Codable {
    /// Create a new object, skip the record, or reject the record.
    case create, skip, error
}

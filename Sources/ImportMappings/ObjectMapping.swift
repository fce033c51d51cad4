/// How a record, or a part of it, becomes an object of one entity.
public struct ObjectMapping: Hashable, Sendable, Codable {
    /// What relationships of the same record call the object; nil if none does.
    public var id: String?

    /// The name of the entity.
    public var entity: String

    /// The id of the mapping in whose parts of the record this one's lie; nil for the whole record.
    public var parent: String?

    /// The parts of the parent's that become objects, such as `orders[*]`; nil for the parent's part itself.
    ///
    /// Paths of attributes and relationships begin at such a part.
    public var records: String?

    /// Parts that do not satisfy it become no object, with paths from the part on; of a source's only object it is nil.
    public var filter: RecordFilter?

    /// What tells objects apart: attributes, or to-one relationships; empty for the model's uniqueness constraint.
    public var key: [String]

    /// Values by which other records of the import name the object, and that the model has no attributes for.
    ///
    /// They are known while the import runs; the store does not get them. Empty if there are none.
    public var sourceKey: [ValueOrigin]

    /// What happens to an object that has the record's key already.
    public var onMatch: MatchPolicy
    /// What happens to a record whose key no object has.
    public var onMissing: MissingPolicy

    /// Whether objects of the entity that no record has are deleted, and parts that their owner has no more.
    public var mirrors: Bool

    /// Where the values of attributes come from.
    public var attributes: [AttributeMapping]
    /// How relationships find the objects that they lead to.
    public var relationships: [RelationshipMapping]

    /// Makes the mapping of an object; what is not given is as a mapping file has it.
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

/// What happens to an object of the store that has a record's key.
public enum MatchPolicy: String, Sendable, CaseIterable, Codable {
    /// Its mapped values become the record's.
    case update
    /// Only its NULLs are filled.
    case fill
    /// It stays as it is.
    case skip
    /// The record is rejected.
    case error
}

/// What happens to a record whose key no object has.
public enum MissingPolicy: String, Sendable, CaseIterable, Codable {
    /// A new object is made, the record is left out, or the record is rejected.
    case create, skip, error
}

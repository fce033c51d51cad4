/// A relationship of an entity, declared or inherited, with its destination and inverse resolved.
public struct ResolvedRelationship: Sendable {
    /// The relationship's declaration.
    public let description: RelationshipDescription

    /// The slot of the entity that declares it.
    public let owner: Int

    /// The slot of the destination entity.
    public let destination: Int

    /// The inverse: the slot of the entity that declares it and its name; nil if there is none.
    public let inverse: Inverse?

    /// The inverse of a relationship.
    public struct Inverse: Sendable, Hashable {
        /// The slot of the entity that declares it.
        public let owner: Int
        /// The name of the inverse.
        public let name: String
        /// Whether the inverse leads to any number of objects.
        public let isToMany: Bool
        /// Whether the objects of the inverse are ordered.
        public let isOrdered: Bool
        /// Whether the inverse exists in memory only.
        public let isTransient: Bool
    }

    /// Where a SQLite store keeps the links (docs/format/sqlite-store.md#entity-tables and
    /// docs/format/sqlite-store.md#many-to-many).
    public enum Storage: Sendable, Hashable {
        /// A key column in the owner's table.
        case toOne
        /// The inverse's key column, in the destination's table.
        case inverseToOne
        /// A separate key column in the destination's table: a to-many without an inverse.
        case unidirectional
        /// A join table.
        case joinTable
    }

    /// The relationship's name.
    public var name: String { description.name }
    /// Whether it leads to any number of objects.
    public var isToMany: Bool { description.isToMany }
    /// Whether the objects of a to-many relationship are ordered.
    public var isOrdered: Bool { description.isOrdered }
    /// Whether an object may be saved without a destination.
    public var isOptional: Bool { description.isOptional }
    /// Whether the relationship is stored.
    public var isStored: Bool { !description.isTransient }
    /// The identifier by which later versions find the relationship: the renaming identifier, otherwise the name.
    public var canonicalName: String { description.renamingIdentifier ?? description.name }

    /// Whether it is its own inverse: same entity and same name.
    public var isSelfInverse: Bool {
        inverse.map { $0.owner == owner && $0.name == name } ?? false
    }

    /// Where a SQLite store keeps the links; meaningless for a transient relationship.
    public var storage: Storage {
        guard isToMany else { return .toOne }
        guard let inverse else { return .unidirectional }
        return inverse.isToMany ? .joinTable : .inverseToOne
    }
}

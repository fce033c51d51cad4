/// A relationship as one of the entities that have it sees it, its destination and inverse resolved.
public struct ResolvedRelationship: Sendable {
    public let description: RelationshipDescription

    /// The slot of the entity that declares it.
    public let owner: Int

    /// The slot of the destination entity.
    public let destination: Int

    /// The inverse: the slot of the entity that declares it and its name; nil if there is none.
    public let inverse: Inverse?

    public struct Inverse: Sendable, Hashable {
        public let owner: Int
        public let name: String
        public let isToMany: Bool
        public let isOrdered: Bool
        public let isTransient: Bool
    }

    /// Where a SQLite store keeps the links (docs/format/sqlite-store.md#entity-tables and
    /// docs/format/sqlite-store.md#many-to-many).
    public enum Storage: Sendable, Hashable {
        /// A key column in the owner's table.
        case toOne
        /// The inverse's key column, in the destination's table.
        case inverseToOne
        /// A key column of its own in the destination's table: a to-many without inverse.
        case unidirectional
        /// A join table.
        case joinTable
    }

    public var name: String { description.name }
    public var isToMany: Bool { description.isToMany }
    public var isOrdered: Bool { description.isOrdered }
    public var isOptional: Bool { description.isOptional }
    public var isStored: Bool { !description.isTransient }
    public var canonicalName: String { description.renamingIdentifier ?? description.name }

    /// Whether it is its own inverse: same entity and same name.
    public var isSelfInverse: Bool {
        inverse.map { $0.owner == owner && $0.name == name } ?? false
    }

    public var storage: Storage {
        guard isToMany else { return .toOne }
        guard let inverse else { return .unidirectional }
        return inverse.isToMany ? .joinTable : .inverseToOne
    }
}

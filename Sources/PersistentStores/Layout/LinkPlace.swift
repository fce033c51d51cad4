public import ManagedObjectModels
import SQLiteAccess

/// The place where a store keeps the links of a relationship, seen from its owner. See
/// docs/format/sqlite-store.md#entity-tables and docs/format/sqlite-store.md#many-to-many.
public struct LinkPlace: Sendable {
    /// The way in which a link is stored.
    public enum Kind: Sendable {
        /// As a key column in the owner's row.
        case toOne
        /// As a key column in the destination's row.
        case foreignKey
        /// As a row of a join table.
        case joinTable
    }

    /// The way in which the links are stored.
    public let kind: Kind
    /// The table that holds the links; quoted, like all names here.
    public let table: String
    /// The column with the owner's key.
    public let owner: String
    /// The column with the destination's key.
    public let destination: String
    /// The column with the entity number for the key column; nil if the table has none.
    public let entity: String?
    /// The column with the destination's order key; nil if the relationship is not ordered.
    public let order: String?
    /// The column with the owner's order key in the inverse; nil if the inverse is not ordered, and outside join
    /// tables.
    public let inverseOrder: String?
    /// Whether every link is stored in both directions: the relationship is its own inverse.
    public let isSymmetric: Bool

    /// Finds the place of a relationship's links; nil if the store does not keep the relationship.
    public init?(_ relationship: ResolvedRelationship, layout: StoreLayout) {
        func name(_ column: EntityColumn?) -> String? { column.map { SQLiteIdentifier.quoted($0.name) } }
        switch relationship.storage {
        case .toOne:
            guard let table = layout.table(ofEntity: relationship.owner),
                let key = name(layout.column(.toOne(relationship.key)))
            else { return nil }
            kind = .toOne
            self.table = SQLiteIdentifier.quoted(table.name)
            owner = "Z_PK"
            destination = key
            entity = name(layout.column(.toOneEntity(relationship.key)))
            order = nil
            inverseOrder = nil
            isSymmetric = false
        case .inverseToOne, .unidirectional:
            guard let table = layout.table(ofEntity: relationship.destination) else { return nil }
            let key: EntityColumn?
            if relationship.storage == .unidirectional {
                key = layout.column(.unidirectional(relationship.key))
                entity = name(layout.column(.unidirectionalEntity(relationship.key)))
                order = name(layout.column(.unidirectionalOrder(relationship.key)))
            } else {
                guard let inverse = relationship.inverse else { return nil }
                key = layout.column(.toOne(inverse.key))
                entity = name(layout.column(.toOneEntity(inverse.key)))
                order = relationship.isOrdered ? name(layout.column(.toOneOrder(inverse.key))) : nil
            }
            guard let key = name(key) else { return nil }
            kind = .foreignKey
            self.table = SQLiteIdentifier.quoted(table.name)
            owner = key
            destination = "Z_PK"
            inverseOrder = nil
            isSymmetric = false
        case .joinTable:
            guard let join = layout.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            kind = .joinTable
            table = SQLiteIdentifier.quoted(join.name)
            owner = SQLiteIdentifier.quoted(side.owner)
            destination = SQLiteIdentifier.quoted(side.destination)
            entity = nil
            order = side.order.map { SQLiteIdentifier.quoted($0) }
            inverseOrder = join.oppositeSide(of: relationship.key)?.order.map { SQLiteIdentifier.quoted($0) }
            isSymmetric = join.isSelfInverse
        }
    }
}

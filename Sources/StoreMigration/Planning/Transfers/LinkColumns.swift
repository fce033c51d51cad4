import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The columns that store a link in the rows of an entity: the other object's key, its entity number, and its order
/// key.
///
/// They exist for to-one relationships, and in the destination's rows for to-many relationships without inverse.
struct LinkColumns {
    let key: ColumnExpression
    let entityNumber: ColumnExpression

    /// The order key; nil if the source has no order.
    let order: ColumnExpression?

    static let empty = LinkColumns(key: .null, entityNumber: .null, order: nil)

    /// Returns the columns of a to-one relationship: from its own counterpart or, if it is new, from its inverse's.
    static func toOne(
        _ relationship: ResolvedRelationship, in pair: EntityPair, _ builder: TransferBuilder
    ) -> LinkColumns {
        if let old = builder.correspondence.sourceRelationship(for: relationship.name, in: pair.destination),
            old.isStored
        {
            // A change from to-many to to-one is refused before anything is executed.
            guard !old.isToMany else { return .empty }
            let filter = TargetFilter(builder, ofAll: old.destination, for: relationship.destination)
            return LinkColumns(
                builder, filter, key: .toOne(old.key), number: .toOneEntity(old.key), order: .toOneOrder(old.key))
        }
        guard let inverse = relationship.inverse, !inverse.isTransient else { return .empty }
        return leading(to: pair, through: inverse.key, from: relationship.destination, builder)
    }

    /// Returns the columns of a to-many relationship without inverse, in the rows of its destination.
    static func unidirectional(
        _ relationship: ResolvedRelationship, in pair: EntityPair, _ builder: TransferBuilder
    ) -> LinkColumns {
        leading(to: pair, through: relationship.key, from: relationship.owner, builder)
    }

    /// Returns the links to the rows of an entity, reversed.
    ///
    /// - Parameters:
    ///   - key: the destination's relationship whose counterparts have the links.
    ///   - owner: the slot of the entity whose objects may be the owners.
    private static func leading(
        to pair: EntityPair, through key: PropertyKey, from owner: Int, _ builder: TransferBuilder
    ) -> LinkColumns {
        // Otherwise the keys of these rows would be mistaken for keys of another table.
        let counterparts = builder.sourceCounterparts(of: key).filter {
            builder.sourceModel.isKind(pair.source, of: $0.relationship.destination)
        }
        let columns = counterparts.map { old, owners in
            let filter = TargetFilter(builder, of: owners, in: old.owner, for: owner)
            switch old.storage {
            case .inverseToOne:
                let key = old.inverse?.key ?? old.key
                return LinkColumns(
                    builder, filter, key: .toOne(key), number: .toOneEntity(key), order: .toOneOrder(key))
            case .unidirectional:
                return LinkColumns(
                    builder, filter, key: .unidirectional(old.key), number: .unidirectionalEntity(old.key),
                    order: .unidirectionalOrder(old.key))
            case .toOne, .joinTable:
                guard let lookup = builder.firstOwner(of: "s.Z_PK", through: old, filter) else { return .empty }
                return LinkColumns(
                    key: .lookup(lookup), entityNumber: filter.newNumber(builder, key: lookup, column: nil), order: nil)
            }
        }
        return columns.count == 1 ? columns[0] : firstOf(columns)
    }

    /// Returns the first of several links that is not NULL. Several entities may each have such a relationship; objects
    /// to which two of them lead are refused before.
    private static func firstOf(_ columns: [LinkColumns]) -> LinkColumns {
        LinkColumns(
            key: .firstValue(of: columns.map(\.key)), entityNumber: .firstValue(of: columns.map(\.entityNumber)),
            order: nil)
    }

    private init(key: ColumnExpression, entityNumber: ColumnExpression, order: ColumnExpression?) {
        self.key = key
        self.entityNumber = entityNumber
        self.order = order
    }

    /// Creates the columns from links in columns of the same rows of the source.
    private init(
        _ builder: TransferBuilder, _ filter: TargetFilter, key keyRole: EntityColumn.Role,
        number: EntityColumn.Role, order orderRole: EntityColumn.Role
    ) {
        guard let column = builder.source.column(keyRole)?.name, !filter.numbers.isEmpty else {
            self = .empty
            return
        }
        let name = "s." + SQLiteIdentifier.bare(column)
        let numberColumn = builder.source.column(number)?.name
        let orderColumn = builder.source.column(orderRole)?.name
        entityNumber = filter.newNumber(builder, key: name, column: numberColumn)
        if filter.dropsSome {
            key = filter.keptKey(builder, key: name, column: numberColumn)
            let keptKey = key.sql
            order = orderColumn.map {
                .lookup("CASE WHEN \(keptKey) IS NOT NULL THEN s.\(SQLiteIdentifier.bare($0)) END")
            }
        } else {
            key = .column(column)
            order = orderColumn.map { .column($0) }
        }
    }
}

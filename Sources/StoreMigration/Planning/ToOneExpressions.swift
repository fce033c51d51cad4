import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The columns of one to-one relationship, for the rows of one entity: the key, its entity number, its order key.
///
/// The links come from the relationship's own counterpart in the source or, where it is new, from its inverse's.
struct ToOneExpressions {
    let key: ColumnExpression
    let entityNumber: ColumnExpression

    /// nil where the source has no order to take over.
    let order: ColumnExpression?

    init(builder: TransferBuilder, relationship: ResolvedRelationship, pair: (source: Int, destination: Int)) {
        if let old = builder.correspondence.sourceRelationship(for: relationship.name, in: pair.destination),
            old.isStored {
            self.init(builder, own: old, relationship: relationship)
        } else {
            self.init(builder, inverseOf: relationship, pair: pair)
        }
    }

    private init(_ builder: TransferBuilder, own old: ResolvedRelationship, relationship: ResolvedRelationship) {
        guard !old.isToMany, let column = builder.source.column(.toOne(old.key)) else {
            // To-many to to-one is refused before anything runs.
            (key, entityNumber, order) = (.null, .null, nil)
            return
        }
        let filter = TargetFilter(
            builder, sourceDestination: old.destination, newDestination: relationship.destination)
        let name = "s." + SQLiteIdentifier.bare(column.name)
        let entityColumn = builder.source.column(.toOneEntity(old.key))?.name
        key = filter.dropsSome ? filter.keptKey(builder, key: name, column: entityColumn) : .column(column.name)
        entityNumber = filter.newNumber(builder, key: name, column: entityColumn)
        order = builder.source.column(.toOneOrder(old.key)).map { .column($0.name) }
    }

    private init(
        _ builder: TransferBuilder, inverseOf relationship: ResolvedRelationship,
        pair: (source: Int, destination: Int)
    ) {
        guard let inverse = relationship.inverse, !inverse.isTransient,
            let counterpart = builder.sourceCounterpart(of: inverse.key)
        else {
            (key, entityNumber, order) = (.null, .null, nil)
            return
        }
        // The owners of the counterpart are this relationship's destinations.
        let filter = TargetFilter(
            builder, sourceDestination: counterpart.owner, newDestination: relationship.destination)
        let plain: (key: EntityColumn?, entity: EntityColumn?, order: EntityColumn?)
        switch counterpart.storage {
        case .inverseToOne:
            let key = counterpart.inverse?.key ?? counterpart.key
            plain = (
                builder.source.column(.toOne(key)), builder.source.column(.toOneEntity(key)),
                builder.source.column(.toOneOrder(key))
            )
        case .unidirectional:
            plain = (
                builder.source.column(.unidirectional(counterpart.key)),
                builder.source.column(.unidirectionalEntity(counterpart.key)),
                builder.source.column(.unidirectionalOrder(counterpart.key))
            )
        case .toOne, .joinTable:
            let lookup = builder.ownerLookup(counterpart, of: "s.Z_PK")
            key = filter.numbers.isEmpty ? .null : lookup.map { .lookup($0) } ?? .null
            entityNumber = lookup.map { filter.newNumber(builder, key: $0, column: nil) } ?? .null
            order = nil
            return
        }
        guard let column = plain.key else {
            (key, entityNumber, order) = (.null, .null, nil)
            return
        }
        let name = "s." + SQLiteIdentifier.bare(column.name)
        let entityColumn = plain.entity?.name
        key = filter.dropsSome ? filter.keptKey(builder, key: name, column: entityColumn) : .column(column.name)
        entityNumber = filter.newNumber(builder, key: name, column: entityColumn)
        order = plain.order.map { .column($0.name) }
    }
}

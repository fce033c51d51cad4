import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The columns that keep a to-many relationship without inverse, in the rows of one destination entity.
struct UnidirectionalExpressions {
    let key: ColumnExpression
    let entityNumber: ColumnExpression

    /// nil where the source has no order to take over.
    let order: ColumnExpression?

    init(builder: TransferBuilder, relationship: ResolvedRelationship, pair: (source: Int, destination: Int)) {
        guard let old = builder.sourceCounterpart(of: relationship.key) else {
            (key, entityNumber, order) = (.null, .null, nil)
            return
        }
        let filter = TargetFilter(builder, sourceDestination: old.owner, newDestination: relationship.owner)
        let plain: (key: EntityColumn?, entity: EntityColumn?, order: EntityColumn?)
        switch old.storage {
        case .unidirectional:
            plain = (
                builder.source.column(.unidirectional(old.key)), builder.source.column(.unidirectionalEntity(old.key)),
                builder.source.column(.unidirectionalOrder(old.key))
            )
        case .inverseToOne:
            let key = old.inverse?.key ?? old.key
            plain = (
                builder.source.column(.toOne(key)), builder.source.column(.toOneEntity(key)),
                builder.source.column(.toOneOrder(key))
            )
        case .toOne, .joinTable:
            let lookup = builder.ownerLookup(old, of: "s.Z_PK")
            key = lookup.map { .lookup($0) } ?? .null
            entityNumber = lookup.map { filter.newNumber(builder, key: $0, column: nil) } ?? .null
            order = nil
            return
        }
        guard let column = plain.key, builder.sourceModel.isKind(pair.source, of: old.destination) else {
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

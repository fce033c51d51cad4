import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// SQL for the links of a source relationship as pairs of keys, wherever the source stores them.
struct SourceLinks {
    /// `FROM` and the table, which is called `l`.
    let from: String

    /// The key of the object that has the relationship.
    let owner: String

    /// The key of the object to which it leads.
    let destination: String

    /// The place of the destination among the owner's destinations; nil if there is none.
    let order: String?

    /// The place of the owner among the destination's owners, in the inverse.
    let inverseOrder: String?

    var conditions: [String] = []

    /// The source with its conditions.
    var fromWhere: String {
        from + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}

extension SourceLinks {
    /// Finds the owner and destination keys of a relationship; nil if its links are not stored.
    init?(_ relationship: ResolvedRelationship, in source: StoreLayout, naming: SourceNaming) {
        func column(_ name: String) -> String { "l." + SQLiteIdentifier.bare(name) }
        /// Returns the links in a key column of an entity's rows.
        func keyed(
            _ entity: Int, _ key: EntityColumn.Role, _ orderRole: EntityColumn.Role, rowsAreOwners: Bool
        ) -> SourceLinks? {
            guard let table = source.table(ofEntity: entity), let key = source.column(key) else { return nil }
            let order = source.column(orderRole).map { column($0.name) }
            let name = column(key.name)
            return SourceLinks(
                from: "FROM \(naming.name(table.name)) l", owner: rowsAreOwners ? "l.Z_PK" : name,
                destination: rowsAreOwners ? name : "l.Z_PK", order: rowsAreOwners ? nil : order,
                inverseOrder: rowsAreOwners ? order : nil, conditions: ["\(name) IS NOT NULL"])
        }
        var links: SourceLinks?
        switch relationship.storage {
        case .joinTable:
            guard let join = source.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            links = SourceLinks(
                from: "FROM \(naming.name(join.name)) l", owner: column(side.owner),
                destination: column(side.destination), order: side.order.map(column),
                inverseOrder: join.oppositeSide(of: relationship.key)?.order.map(column))
        case .toOne:
            links = keyed(
                relationship.owner, .toOne(relationship.key), .toOneOrder(relationship.key), rowsAreOwners: true)
        case .inverseToOne:
            guard let inverse = relationship.inverse else { return nil }
            links = keyed(
                relationship.destination, .toOne(inverse.key), .toOneOrder(inverse.key), rowsAreOwners: false)
        case .unidirectional:
            links = keyed(
                relationship.destination, .unidirectional(relationship.key), .unidirectionalOrder(relationship.key),
                rowsAreOwners: false)
        }
        guard let links else { return nil }
        self = links
    }
}

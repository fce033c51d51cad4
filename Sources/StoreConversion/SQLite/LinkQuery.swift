import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Creates the query for all links of a to-many relationship, sorted by owner and then in the relationship's order.
///
/// Core Data's indexes on keys have this order already, unless the relationship is ordered. SQLite sorts the links
/// then, on disk if there are many.
enum LinkQuery {
    /// Returns the query; nil if the store has no such links. The columns are the owner, the destination, and whether
    /// the destination exists.
    ///
    /// - Parameter asksPresence: false if the caller knows which objects exist.
    static func text(of relationship: ResolvedRelationship, layout: StoreLayout, asksPresence: Bool) -> String? {
        func quoted(_ name: String) -> String { SQLiteIdentifier.quoted(name) }
        switch relationship.storage {
        case .toOne: return nil
        case .inverseToOne:
            guard let inverse = relationship.inverse, let column = layout.column(.toOne(inverse.key)),
                let table = layout.table(ofEntity: relationship.destination)
            else { return nil }
            let order = relationship.isOrdered ? layout.column(.toOneOrder(inverse.key)) : nil
            return text(table: table.name, column: column, order: order)
        case .unidirectional:
            guard let column = layout.column(.unidirectional(relationship.key)),
                let table = layout.table(ofEntity: relationship.destination)
            else { return nil }
            let order = relationship.isOrdered ? layout.column(.unidirectionalOrder(relationship.key)) : nil
            return text(table: table.name, column: column, order: order)
        case .joinTable:
            guard let table = layout.joinTable(of: relationship.key) else { return nil }
            let side = table.side(of: relationship.key)
            let (owner, destination) = (quoted(side.owner), quoted(side.destination))
            let order = ([owner] + (side.order.map { [quoted($0)] } ?? []) + [destination]).joined(separator: ", ")
            let presence =
                asksPresence
                ? StoredObjectScan.presence(of: destination, through: relationship.key, layout: layout) : "1"
            return "SELECT \(owner), \(destination), \(presence) FROM \(quoted(table.name)) "
                + "WHERE \(owner) IS NOT NULL AND \(destination) IS NOT NULL ORDER BY \(order)"
        }
    }

    private static func text(table: String, column: EntityColumn, order: EntityColumn?) -> String {
        let owner = SQLiteIdentifier.quoted(column.name)
        let places = ([owner] + (order.map { [SQLiteIdentifier.quoted($0.name)] } ?? []) + ["Z_PK"])
            .joined(separator: ", ")
        return "SELECT \(owner), Z_PK, 1 FROM \(SQLiteIdentifier.quoted(table)) WHERE \(owner) IS NOT NULL "
            + "ORDER BY \(places)"
    }
}

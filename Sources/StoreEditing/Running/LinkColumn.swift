import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// A column of keys that link rows to the objects of a relationship, with the columns that belong to it.
struct LinkColumn {
    /// The quoted name of the table, with the database.
    let table: String
    /// The quoted name of the column.
    let key: String
    let entity: String?
    let order: String?

    /// Makes the column of a to-one relationship's destination; nil if the store does not have it.
    init?(toOne relationship: PropertyKey, in layout: StoreLayout, database: String = "main") {
        self.init(
            table: relationship.owner, (.toOne(relationship), .toOneEntity(relationship), .toOneOrder(relationship)),
            layout, database)
    }

    /// Makes the column of the owner of a to-many relationship without an inverse, in the destination's row.
    init?(unidirectional relationship: ResolvedRelationship, in layout: StoreLayout, database: String = "main") {
        let key = relationship.key
        self.init(
            table: relationship.destination,
            (.unidirectional(key), .unidirectionalEntity(key), .unidirectionalOrder(key)), layout, database)
    }

    private init?(
        table slot: Int, _ roles: (key: EntityColumn.Role, entity: EntityColumn.Role, order: EntityColumn.Role),
        _ layout: StoreLayout, _ database: String
    ) {
        func name(_ role: EntityColumn.Role) -> String? { layout.column(role).map { SQLiteIdentifier.quoted($0.name) } }
        guard let table = layout.table(ofEntity: slot), let key = name(roles.key) else { return nil }
        self.table = database + "." + SQLiteIdentifier.quoted(table.name)
        self.key = key
        entity = name(roles.entity)
        order = name(roles.order)
    }

    /// Returns a statement that sets the column to NULL in rows `s`.
    func clearing(where condition: String) -> String {
        let sets = [key, entity, order].compactMap { $0 }.map { "\($0) = NULL" }.joined(separator: ", ")
        return "UPDATE \(table) AS s SET \(sets), \(ObjectVersion.raised()) WHERE \(condition)"
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The numbers of objects of each entity in a migrated database.
struct ResultCounts {
    /// The number of objects, by the name of the entity.
    private(set) var byEntity: [String: Int64] = [:]

    /// - Parameter rowsByTable: the number of rows that were written to each table, if it is known. Tables with a
    ///   single entity are not counted again then.
    init(_ connection: Connection, layout: StoreLayout, rowsByTable: [String: Int64]) throws(SQLiteError) {
        let model = layout.model
        for table in layout.tables {
            let entities = model.entities[table.root].subtree
            let name = SQLiteIdentifier.quoted(table.name)
            if entities.count == 1 {
                byEntity[model.entities[table.root].name] =
                    if let rows = rowsByTable[table.name] {
                        rows
                    } else {
                        try connection.value("SELECT count(*) FROM main.\(name)").integer
                    }
                continue
            }
            for slot in entities { byEntity[model.entities[slot].name] = 0 }
            let numbers = entities.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
            // SQLite answers this query from the index on Z_ENT alone.
            for row in try connection.rows(
                "SELECT Z_ENT, count(*) FROM main.\(name) WHERE Z_ENT IN (\(numbers)) GROUP BY Z_ENT")
            {
                guard let number = row[0].integer, let slot = layout.slot(ofEntityNumber: Int(number)) else { continue }
                byEntity[model.entities[slot].name] = row[1].integer
            }
        }
    }
}

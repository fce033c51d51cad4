import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The objects of each entity in a migrated database.
struct ResultCounts {
    /// By name of the entity.
    private(set) var byEntity: [String: Int64] = [:]

    /// - Parameter rowsByTable: the rows that were written, where they are known: those of a table with one entity need
    ///   not
    ///   be counted again.
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
            // The index on Z_ENT has all that is asked for.
            for row in try connection.rows(
                "SELECT Z_ENT, count(*) FROM main.\(name) WHERE Z_ENT IN (\(numbers)) GROUP BY Z_ENT")
            {
                guard let number = row[0].integer, let slot = layout.slot(ofEntityNumber: Int(number)) else { continue }
                byEntity[model.entities[slot].name] = row[1].integer
            }
        }
    }
}

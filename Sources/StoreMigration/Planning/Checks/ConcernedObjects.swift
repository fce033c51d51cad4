import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// How many objects of a store a finding is about, and the URIs of the first ones.
struct ConcernedObjects {
    /// How many objects a finding names.
    static let exampleCount = 3

    var count: Int64 = 0
    var examples: [String] = []
}

extension SQLiteStore {
    /// Counts the rows of a query over one entity and names some.
    ///
    /// - Parameters:
    ///   - from: the query from `FROM` on.
    ///   - key: SQL of the primary key.
    func concernedObjects(
        _ from: String, key: String = "s.Z_PK", ofEntity name: String
    ) throws(SQLiteError) -> ConcernedObjects {
        let count = try connection.value("SELECT count(*) \(from)").integer ?? 0
        guard count > 0 else { return ConcernedObjects() }
        return ConcernedObjects(count: count, examples: try examples(from, key: key, ofEntity: name))
    }

    /// Counts the rows of a query of groups (key, entity number, size of the group) and names one row of some groups.
    func concernedGroups(_ query: String, in layout: StoreLayout) throws(SQLiteError) -> ConcernedObjects {
        var rows = ConcernedObjects()
        let statement = try connection.prepare(query)
        while try statement.step() {
            rows.count += statement.integer(2)
            if rows.examples.count < ConcernedObjects.exampleCount,
                let slot = layout.slot(ofEntityNumber: Int(statement.integer(1)))
            {
                rows.examples.append(uri(of: statement.integer(0), entity: layout.model.entities[slot].name))
            }
        }
        return rows
    }

    func examples(_ from: String, key: String = "s.Z_PK", ofEntity name: String) throws(SQLiteError) -> [String] {
        let keys = try connection.rows("SELECT \(key) \(from) ORDER BY 1 LIMIT \(ConcernedObjects.exampleCount)")
        return keys.compactMap { $0[0].integer }.map { uri(of: $0, entity: name) }
    }

    func uri(of key: Int64, entity name: String) -> String {
        ManagedObjectID(storeUUID: metadata.uuid, entityName: name, primaryKey: key).uri
    }
}

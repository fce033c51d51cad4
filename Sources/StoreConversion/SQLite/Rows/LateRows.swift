import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Rows of one table that came behind rows with higher keys: they wait in a temporary table, on disk, until the table
/// is built.
final class LateRows {
    private let table: EntityTable
    private let layout: StoreLayout
    private let connection: Connection
    private let name: String
    /// By slot.
    private var inserters: [Int: EntityInserter] = [:]

    init(_ table: EntityTable, layout: StoreLayout, connection: Connection) throws(SQLiteError) {
        self.table = table
        self.layout = layout
        self.connection = connection
        name = "temp." + SQLiteIdentifier.quoted("ferry_late_" + table.name)
        let columns = table.columns.map { "\(SQLiteIdentifier.quoted($0.name)) \($0.declaredType)" }
        try connection.execute("CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
    }

    func insert(_ object: borrowing StoredObject, _ values: EntityValues) throws {
        let slot = object.slot
        if let inserter = inserters[slot] { return try inserter.insert(object) }
        let inserter = try EntityInserter(values, layout: layout, connection: connection, into: name)
        inserters[slot] = inserter
        try inserter.insert(object)
    }

    /// Gives the rows their table, in the order of their keys; the key that two objects have where one cannot get it.
    func move() throws(SQLiteError) -> Int64? {
        inserters = [:]
        let t = "main." + SQLiteIdentifier.quoted(table.name)
        let columns = table.columns.map { SQLiteIdentifier.quoted($0.name) }.joined(separator: ", ")
        do throws(SQLiteError) {
            try connection.execute("INSERT INTO \(t) (\(columns)) SELECT \(columns) FROM \(name) ORDER BY Z_PK")
        } catch {
            guard error.isDuplicateKey else { throw error }
            return try connection.value(
                "SELECT Z_PK FROM \(name) GROUP BY Z_PK HAVING count(*) > 1 "
                    + "UNION ALL SELECT Z_PK FROM \(name) WHERE Z_PK IN (SELECT Z_PK FROM \(t)) LIMIT 1"
            ).integer ?? 0
        }
        try connection.execute("DROP TABLE \(name)")
        return nil
    }
}

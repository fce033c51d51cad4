import PersistentStores
import SQLiteAccess

/// New keys for the objects of a store with one numbering for all objects. In each table, they begin at 1 without gaps,
/// in the order of the old keys.
///
/// The old keys are read in a pass before the objects, and wait in a temporary table on disk.
final class KeyRenumbering {
    private let connection: Connection
    /// The path of the new store, for messages.
    private let path: String
    private let found: String
    private let numbered: String
    private var insertion: Statement?
    private var lookup: Statement?
    /// The numbers that are added to the new keys, by the slot of the root entity, because earlier stores have used
    /// those keys.
    private let bases: [Int64]

    /// - Parameters:
    ///   - number: distinguishes the tables of several stores.
    ///   - path: the path of the new store, for messages.
    init(on connection: Connection, number: Int, bases: [Int64], path: String) throws(StoreError) {
        self.connection = connection
        self.bases = bases
        self.path = path
        found = "temp.ferry_found_\(number)"
        numbered = "temp.ferry_keys_\(number)"
        do throws(SQLiteError) {
            try connection.execute(
                """
                CREATE TABLE \(found) (root INTEGER, old INTEGER);
                CREATE TABLE \(numbered) (root INTEGER, old INTEGER, new INTEGER, PRIMARY KEY (root, old)) WITHOUT ROWID
                """)
            insertion = try connection.prepare("INSERT INTO \(found) VALUES (?1, ?2)", persistent: true)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Adds the old key of an object.
    func add(_ key: Int64, root: Int) throws(StoreError) {
        do throws(SQLiteError) {
            try insertion?.bindInteger(Int64(root), at: 1)
            try insertion?.bindInteger(key, at: 2)
            try insertion?.run()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Assigns the new keys, after all old keys have been added.
    ///
    /// - Returns: an old key that two objects of a hierarchy have, with the slot of its root entity; nil if there is no
    ///   such key.
    func number() throws(StoreError) -> (root: Int, key: Int64)? {
        insertion = nil
        do throws(SQLiteError) {
            let shared = try connection.rows(
                "SELECT root, old FROM \(found) GROUP BY root, old HAVING count(*) > 1 LIMIT 1")
            if let row = shared.first { return (Int(row[0].integer ?? 0), row[1].integer ?? 0) }
            try connection.execute(
                """
                INSERT INTO \(numbered) SELECT root, old, row_number() OVER (PARTITION BY root ORDER BY old)
                    FROM \(found) ORDER BY root, old;
                DROP TABLE \(found)
                """)
            lookup = try connection.prepare(
                "SELECT new FROM \(numbered) WHERE root = ?1 AND old = ?2", persistent: true)
            return nil
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Returns an object's new key; a negative number, which no object has, if no object of the hierarchy has the
    /// old key.
    func newKey(of old: Int64, root: Int) throws(StoreError) -> Int64 {
        // No object can have this key.
        guard old > 0, let lookup else { return min(old, -1) }
        do throws(SQLiteError) {
            defer { lookup.reset() }
            try lookup.bindInteger(Int64(root), at: 1)
            try lookup.bindInteger(old, at: 2)
            return try lookup.step() ? lookup.integer(0) + bases[root] : -old
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Returns the old key for a new one.
    func oldKey(of new: Int64, root: Int) throws(SQLiteError) -> Int64? {
        try connection.value(
            "SELECT old FROM \(numbered) WHERE root = ? AND new = ?",
            [.integer(Int64(root)), .integer(new - bases[root])]
        ).integer
    }
}

import PersistentStores
import SQLiteAccess

/// New keys for the objects of a store with one numbering for all: in each table they begin at 1 and have no gaps, in
/// the order of the old ones.
///
/// The old keys are read once before the objects are. They wait as bits in memory; if those would take more than a
/// limit, since the keys lie far apart, in a temporary table on disk.
final class KeyRenumbering {
    private let connection: Connection
    /// The new store's, for messages.
    private let path: String
    private let found: String
    private let numbered: String
    /// nil as soon as the keys are in the tables.
    @exclusivity(unchecked) private var ranks: KeyRanks?
    private var insertion: Statement?
    private var lookup: Statement?
    /// What is added to the new keys, by the slot of the root entity: the keys of stores before.
    private let bases: [Int64]

    /// - Parameters:
    ///   - number: tells the tables of several stores apart.
    ///   - path: the new store's, for messages.
    init(on connection: Connection, number: Int, bases: [Int64], path: String, limits: ConversionLimits) {
        self.connection = connection
        self.bases = bases
        self.path = path
        found = "temp.ferry_found_\(number)"
        numbered = "temp.ferry_keys_\(number)"
        ranks = KeyRanks(roots: bases.count, limit: limits.keyBits)
    }

    /// Notes an object's old key.
    func add(_ key: Int64, root: Int) throws(StoreError) {
        if ranks?.add(key, root: root) ?? false { return }
        do throws(SQLiteError) {
            if let ranks { try moveToTables(ranks) }
            try insert(key, root)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func moveToTables(_ ranks: KeyRanks) throws(SQLiteError) {
        self.ranks = nil
        try connection.execute(
            """
            CREATE TABLE \(found) (root INTEGER, old INTEGER);
            CREATE TABLE \(numbered) (root INTEGER, old INTEGER, new INTEGER, PRIMARY KEY (root, old)) WITHOUT ROWID
            """)
        insertion = try connection.prepare("INSERT INTO \(found) VALUES (?1, ?2)", persistent: true)
        for root in bases.indices {
            try ranks.forEach(root: root) { key throws(SQLiteError) in try insert(key, root) }
        }
        if let shared = ranks.shared { try insert(shared.key, shared.root) }
    }

    private func insert(_ key: Int64, _ root: Int) throws(SQLiteError) {
        try insertion?.bindInteger(Int64(root), at: 1)
        try insertion?.bindInteger(key, at: 2)
        try insertion?.run()
    }

    /// Forgets all, so that others can be noted under the same number.
    func removeTables() throws(StoreError) {
        (insertion, lookup) = (nil, nil)
        do throws(SQLiteError) {
            try connection.execute("DROP TABLE IF EXISTS \(found); DROP TABLE IF EXISTS \(numbered)")
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Gives the new keys, when all old ones are noted.
    ///
    /// - Returns: an old key that two objects of a hierarchy have, with the slot of its root entity; nil if there is
    ///   none.
    func number() throws(StoreError) -> (root: Int, key: Int64)? {
        if ranks != nil {
            ranks?.finish()
            return ranks?.shared
        }
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

    /// An object's new key; below 0, where no object is, for an old key that no object of the hierarchy has.
    func newKey(of old: Int64, root: Int) throws(StoreError) -> Int64 {
        // No object has such a key.
        guard old > 0 else { return min(old, -1) }
        if ranks != nil { return ranks?.rank(of: old, root: root).map { $0 + bases[root] } ?? -old }
        guard let lookup else { return -1 }
        do throws(SQLiteError) {
            defer { lookup.reset() }
            try lookup.bindInteger(Int64(root), at: 1)
            try lookup.bindInteger(old, at: 2)
            return try lookup.step() ? lookup.integer(0) + bases[root] : -old
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The old key of a new one.
    func oldKey(of new: Int64, root: Int) throws(SQLiteError) -> Int64? {
        if let ranks { return ranks.key(ofRank: new - bases[root], root: root) }
        return try connection.value(
            "SELECT old FROM \(numbered) WHERE root = ? AND new = ?",
            [.integer(Int64(root)), .integer(new - bases[root])]
        ).integer
    }
}

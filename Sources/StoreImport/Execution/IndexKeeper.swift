import PersistentStores
import SQLiteAccess

/// The indexes of a store that is being filled. Those of a new store are created when all rows are written, or when
/// they are needed.
final class IndexKeeper {
    /// What is known about the indexes. It is restored if their creation is rolled back.
    struct Knowledge {
        fileprivate(set) var deferred: [StoreIndex]
        /// The dropped indexes of the store, which are created again when all rows are written.
        fileprivate var postponed: [(table: String, statement: String)] = []
        fileprivate var known: Set<[String]> = []
        /// By table, the columns of each of its unique indexes.
        fileprivate var uniqueColumns: [String: [[String]]] = [:]

        /// Notes that the builder has created all indexes with the rows.
        mutating func forgetDeferred() {
            deferred.removeAll()
        }
    }

    private let connection: Connection
    var knowledge: Knowledge

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - deferred: the indexes that do not exist yet.
    init(_ connection: Connection, deferred: [StoreIndex]) {
        self.connection = connection
        knowledge = Knowledge(deferred: deferred)
    }

    /// Creates the unique indexes of a table, except the index of exactly these columns, because duplicates must be
    /// detected immediately.
    func createUniqueIndexes(on table: String, except columns: [String]) throws(SQLiteError) {
        for index in knowledge.deferred
        where index.table == table && index.isUnique && index.columns.map(\.name) != columns {
            try create(index)
        }
    }

    /// Drops all indexes of a table until they are needed, or until all rows are written.
    func postpone(on table: String) throws(SQLiteError) {
        let rows = try connection.rows(
            "SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE "
                + "AND sql IS NOT NULL", [.string(table)])
        for row in rows {
            guard let name = row[0].string, let statement = row[1].string else { continue }
            try connection.execute("DROP INDEX main.\(SQLiteIdentifier.quoted(name))")
            // Indexes that are only for the import are created again when they are required.
            if !name.hasPrefix("ZFERRY_KEY_") { knowledge.postponed.append((table, statement)) }
        }
        knowledge.known = knowledge.known.filter { $0.first != table }
    }

    /// Creates the dropped indexes of a table again.
    private func restore(on table: String) throws(SQLiteError) {
        for index in knowledge.postponed where index.table == table { try connection.execute(index.statement) }
        knowledge.postponed.removeAll { $0.table == table }
    }

    /// Returns whether every unique index of a table has exactly these columns, compared byte by byte.
    func hasPlainUniqueIndexes(on table: String, of columns: [String]) throws(SQLiteError) -> Bool {
        for row in try connection.rows("PRAGMA index_list(\(SQLiteIdentifier.quoted(table)))") {
            guard row.count >= 3, let name = row[1].string, row[2].integer == 1 else { continue }
            // Column name, collation, and whether it is one of the index's own columns.
            let found = try connection.rows("PRAGMA index_xinfo(\(SQLiteIdentifier.quoted(name)))")
                .filter { $0.count >= 6 && $0[5].integer == 1 }
            guard found.compactMap({ $0[2].string }) == columns, found.allSatisfy({ $0[4].string == "BINARY" }) else {
                return false
            }
        }
        return true
    }

    /// Returns the columns of each unique index of a table, in quotes.
    func uniqueColumns(of table: String) throws(SQLiteError) -> [[String]] {
        if let found = knowledge.uniqueColumns[table] { return found }
        var found = knowledge.deferred.filter { $0.table == table && $0.isUnique && $0.condition == nil }.map {
            $0.columns.map { SQLiteIdentifier.quoted($0.name) }
        }
        for row in try connection.rows("PRAGMA index_list(\(SQLiteIdentifier.quoted(table)))") {
            guard row.count >= 5, let name = row[1].string, row[2].integer == 1, row[4].integer == 0 else { continue }
            found.append(
                try connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))").compactMap {
                    $0[2].string.map { SQLiteIdentifier.quoted($0) }
                })
        }
        knowledge.uniqueColumns[table] = found
        return found
    }

    /// Makes sure that there is an index to find objects by these columns.
    func require(_ columns: [String], of table: String) throws(SQLiteError) {
        guard !columns.isEmpty, knowledge.known.insert([table] + columns).inserted else { return }
        try restore(on: table)
        if try exists(columns, on: table) { return }
        if let index = knowledge.deferred.first(where: {
            $0.table == table && $0.condition == nil
                && Array($0.columns.map(\.name).prefix(columns.count)) == columns
        }) {
            return try create(index)
        }
        let number =
            try connection.value(
                "SELECT max(CAST(substr(name, 12) AS INTEGER)) FROM main.sqlite_master WHERE name LIKE 'ZFERRY_KEY_%'"
            ).integer ?? 0
        let name = "ZFERRY_KEY_\(number + 1)"
        let list = columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", ")
        try connection.execute("CREATE INDEX \(name) ON \(SQLiteIdentifier.quoted(table)) (\(list))")
    }

    /// Returns whether a unique index of a table has exactly these columns, so that no two rows have the same values in
    /// them.
    func isUnique(_ columns: [String], of table: String) throws(SQLiteError) -> Bool {
        for row in try connection.rows("PRAGMA index_list(\(SQLiteIdentifier.quoted(table)))") {
            // Name, uniqueness and whether it is partial.
            guard row.count >= 5, let name = row[1].string, row[2].integer == 1, row[4].integer == 0 else { continue }
            let found = try connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))").compactMap {
                $0[2].string
            }
            if found == columns { return true }
        }
        return false
    }

    /// Returns whether an index of all rows begins with these columns.
    private func exists(_ columns: [String], on table: String) throws(SQLiteError) -> Bool {
        for row in try connection.rows("PRAGMA index_list(\(SQLiteIdentifier.quoted(table)))") {
            guard row.count >= 5, let name = row[1].string, row[4].integer == 0 else { continue }
            let found = try connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))").compactMap {
                $0[2].string
            }
            if Array(found.prefix(columns.count)) == columns { return true }
        }
        return false
    }

    private func create(_ index: StoreIndex) throws(SQLiteError) {
        try connection.execute(index.createStatement)
        knowledge.deferred.removeAll { $0.name == index.name }
    }

    /// Creates the indexes that are still missing, and drops those that were only for the import.
    func finish() throws(SQLiteError) {
        try Self.dropTemporaryIndexes(of: connection)
        for index in knowledge.postponed { try connection.execute(index.statement) }
        knowledge.postponed.removeAll()
        for index in knowledge.deferred { try connection.execute(index.createStatement) }
        knowledge.deferred.removeAll()
    }

    /// Drops the indexes that are only for an import, including those of an import that was interrupted.
    static func dropTemporaryIndexes(of connection: Connection) throws(SQLiteError) {
        for row in try connection.rows("SELECT name FROM main.sqlite_master WHERE name LIKE 'ZFERRY_KEY_%'") {
            guard let name = row[0].string else { continue }
            try connection.execute("DROP INDEX IF EXISTS main.\(SQLiteIdentifier.quoted(name))")
        }
    }
}

import SQLiteAccess

/// The destinations that to-one relationships of objects had before the import, kept for the relationships that the
/// import has changed.
///
/// With them, each link is counted once, no matter how often it changes during the import.
final class FirstDestinations {
    private let connection: Connection
    private let schema: String
    private var insert: Statement?
    private var find: Statement?

    init(_ connection: Connection, schema: String) {
        self.connection = connection
        self.schema = schema
    }

    private var table: String { "\(schema).ferry_first" }

    /// Returns the primary key of the destination that a to-one relationship had before the import; 0 if it was empty.
    ///
    /// - Parameters:
    ///   - owner: the primary key of the object that has the relationship.
    ///   - number: the number of the relationship.
    ///   - current: the destination before the change that is about to be counted; 0 if there is none. It is stored at
    ///     the first call for the object and relationship.
    func destination(of owner: Int64, _ number: Int64, current: Int64) throws(SQLiteError) -> Int64 {
        let (insert, find) = try statements()
        try insert.bindInteger(owner, at: 1)
        try insert.bindInteger(number, at: 2)
        try insert.bindInteger(current, at: 3)
        try insert.run()
        if connection.changes > 0 { return current }
        try find.bindInteger(owner, at: 1)
        try find.bindInteger(number, at: 2)
        defer { find.reset() }
        return try find.step() ? find.integer(0) : current
    }

    private func statements() throws(SQLiteError) -> (insert: Statement, find: Statement) {
        if let insert, let find { return (insert, find) }
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(table) (owner INTEGER, link INTEGER, destination INTEGER, "
                + "PRIMARY KEY (owner, link)) WITHOUT ROWID")
        let made = (
            try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2, ?3)", persistent: true),
            try connection.prepare(
                "SELECT destination FROM \(table) WHERE owner = ?1 AND link = ?2", persistent: true)
        )
        (insert, find) = made
        return made
    }

    /// Forgets the statements, because the table that was created for the first change is gone if its batch was rolled
    /// back.
    func forgetTable() {
        (insert, find) = (nil, nil)
    }

    func close() throws(SQLiteError) {
        forgetTable()
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

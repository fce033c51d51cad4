import SQLiteAccess

/// What the to-ones of objects led to before the import, of those that it has changed: so that each link is counted once,
/// however often it changes on the way.
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

    /// What a to-one led to before the import; 0 for nothing.
    ///
    /// - Parameter current: what it leads to before the change that is about to be counted.
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

    /// What was made for the first change is gone with a batch that was undone.
    func forgetTable() {
        (insert, find) = (nil, nil)
    }

    func close() throws(SQLiteError) {
        forgetTable()
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

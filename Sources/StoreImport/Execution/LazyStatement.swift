import SQLiteAccess

/// A statement that is prepared when it is first used: most imports do without.
struct LazyStatement {
    private var statement: Statement?

    /// The statement.
    ///
    /// - Parameter sql: its text, asked for once.
    mutating func prepared(
        on connection: Connection, _ sql: () throws(SQLiteError) -> String
    ) throws(SQLiteError) -> Statement {
        if let statement { return statement }
        let made = try connection.prepare(try sql(), persistent: true)
        statement = made
        return made
    }

    /// Prepares it again the next time: what it reads is gone.
    mutating func forget() {
        statement = nil
    }
}

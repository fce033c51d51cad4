import SQLiteAccess

/// A statement that is prepared when it is first used, because most imports do not need it.
struct LazyStatement {
    private var statement: Statement?

    /// Returns the statement, which is prepared at the first call.
    ///
    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - sql: returns the text of the statement; called only once.
    mutating func prepared(
        on connection: Connection, _ sql: () throws(SQLiteError) -> String
    ) throws(SQLiteError) -> Statement {
        if let statement { return statement }
        let made = try connection.prepare(try sql(), persistent: true)
        statement = made
        return made
    }

    /// Forgets the statement, because what it reads no longer exists. It is prepared again when it is next used.
    mutating func forget() {
        statement = nil
    }
}

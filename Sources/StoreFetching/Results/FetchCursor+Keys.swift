import SQLiteAccess

extension FetchCursor {
    /// Writes the primary keys of all results into a table of the same connection, without returning them to the
    /// program.
    ///
    /// The plan must be of a request for object IDs that includes the primary key.
    /// - Parameter table: a table with the column `k` that ignores duplicate keys.
    /// - Throws: `SQLiteError` if the store cannot be read, or the table cannot be written; `EvaluationError` if Swift
    ///   cannot evaluate the predicate.
    /// - Returns: the number of keys.
    public func writeKeys(into table: String) throws -> Int64 {
        let insertion = try statement.connection.prepare(
            "INSERT OR IGNORE INTO \(table) (k) SELECT Z_PK FROM (\(statement.sql))")
        try insertion.bind(parameters)
        do {
            try insertion.run()
        } catch {
            throw reader.failure ?? error
        }
        return statement.connection.changes
    }
}

import SQLiteAccess

extension FetchCursor {
    /// Writes the primary keys of all results into a table of the same connection, without handing them out.
    ///
    /// The plan must be of a request for object IDs that includes the primary key.
    /// - Parameter table: has the column `k`, and ignores a key that it has.
    /// - Throws: `SQLiteError` if the store cannot be read, or the table not written; `EvaluationError` if Swift cannot
    ///   evaluate the predicate.
    /// - Returns: how many keys there are.
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

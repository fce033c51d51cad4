extension Connection {
    /// Runs the body in a transaction: commits when it returns, rolls back when it throws or the commit fails.
    ///
    /// Transactions do not nest: SQLite refuses a second one.
    /// - Throws: `SQLiteError` if the transaction cannot begin or commit; any error of the body.
    public func transaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
        try execute("BEGIN " + kind.rawValue)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // After a full disk and similar errors, SQLite has already rolled back; the first error is the one to
            // report.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }
}

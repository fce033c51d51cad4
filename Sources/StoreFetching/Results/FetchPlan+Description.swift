public import SQLiteAccess

extension FetchPlan {
    /// Returns the statements with their values, the plans of SQLite's query planner, and the parts that Swift
    /// evaluates.
    ///
    /// The connection must be that of a cursor for this plan, which has the functions registered.
    /// - Throws: `SQLiteError` if a statement does not compile.
    public func explanation(on connection: Connection) throws(SQLiteError) -> String {
        let statement = try connection.prepare(sql)
        try statement.bind(parameters)
        var text = "SQL\n" + Self.indented(statement.expandedSQL ?? sql) + ";\nQuery plan\n"
        text += try queryPlan(of: sql, parameters, on: connection)
        for column in columns {
            guard let list = column.listSQL else { continue }
            text += "SQL of \(column.name), for each row, with its primary key\n\(Self.indented(list));\nQuery plan\n"
            text += try queryPlan(of: list, [.integer(1)] + column.listParameters, on: connection)
        }
        text += swiftParts.isEmpty ? "Evaluated in Swift: nothing\n" : "Evaluated in Swift\n"
        for part in swiftParts { text += "  \(part.subject): \(part.reason)\n" }
        return text
    }

    private func queryPlan(
        of sql: String, _ values: [SQLiteValue], on connection: Connection
    ) throws(SQLiteError) -> String {
        // The columns are id, parent, an unused one, and the operation.
        let rows = try connection.rows("EXPLAIN QUERY PLAN " + sql, values)
        var depths: [Int64: Int] = [:]
        var text = ""
        for row in rows {
            let depth = (depths[row[1].integer ?? 0] ?? 0) + 1
            depths[row[0].integer ?? 0] = depth
            text += String(repeating: "  ", count: depth) + (row[3].string ?? "") + "\n"
        }
        return text
    }

    private static func indented(_ text: String) -> String {
        "  " + text.split(separator: "\n").joined(separator: "\n  ")
    }
}

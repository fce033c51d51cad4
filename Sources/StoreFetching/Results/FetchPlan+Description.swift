public import SQLiteAccess

extension FetchPlan {
    /// The statements with their values in place, what SQLite's query planner makes of them, and what Swift evaluates.
    ///
    /// The connection must be one that a cursor of this plan was made with: it knows the functions.
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
        // id, parent, unused, what is done
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

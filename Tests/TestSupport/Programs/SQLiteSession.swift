/// The sqlite3 tool on a database, open until it is told to end: another process, whose locks count.
public final class SQLiteSession {
    private let tool: Conversation

    /// Opens the database and runs statements.
    public init(on path: String, running sql: String = "") throws {
        tool = try Conversation("/usr/bin/env", ["sqlite3", "-batch", path], joinsErrors: true)
        if !sql.isEmpty { try run(sql) }
    }

    /// Runs statements and returns what they print, errors included.
    @discardableResult
    public func run(_ sql: String) throws -> String {
        // The mark is printed whether or not the database is locked.
        try tool.send("\(sql)\n;\n.print ready\n")
        return try tool.answer(before: "ready\n")
    }

    /// Closes the database as a program that ends does.
    public func close() {
        tool.finish()
    }

    /// Kills it where it stands.
    public func kill() {
        tool.kill()
    }
}

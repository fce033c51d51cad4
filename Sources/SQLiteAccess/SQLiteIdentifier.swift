/// Names in SQL text.
public enum SQLiteIdentifier {
    /// Returns the name in double quotes, with inner quotes doubled. A NUL in it is refused when the SQL is prepared.
    public static func quoted(_ name: String) -> String {
        SQLiteLiteral.enclosed(name, in: "\"")
    }

    /// Returns a quoted name without its double quotes; any other text unchanged.
    public static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        let parts = text.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
        return parts.joined(separator: "\"")
    }

    /// Returns the quoted name of a table in an attached database, with the name of the database.
    public static func quoted(_ name: String, in schema: String) -> String {
        quoted(schema) + "." + quoted(name)
    }
}

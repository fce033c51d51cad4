/// Names in SQL text.
public enum SQLiteIdentifier {
    /// The name in double quotes, inner quotes doubled. A NUL in it is refused when the SQL is prepared.
    public static func quoted(_ name: String) -> String {
        SQLiteLiteral.enclosed(name, in: "\"")
    }

    /// The name that stands in double quotes; any other text as it is.
    public static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        let parts = text.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
        return parts.joined(separator: "\"")
    }

    /// A table of an attached database: both names quoted, with a dot between.
    public static func quoted(_ name: String, in schema: String) -> String {
        quoted(schema) + "." + quoted(name)
    }
}

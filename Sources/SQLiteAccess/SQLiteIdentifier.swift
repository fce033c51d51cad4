/// Names in SQL text.
public enum SQLiteIdentifier {
    /// The name in double quotes, inner quotes doubled. A NUL in it is refused when the SQL is prepared.
    public static func quoted(_ name: String) -> String {
        SQLiteLiteral.enclosed(name, in: "\"")
    }

    /// A table of an attached database: both names quoted, with a dot between.
    public static func quoted(_ name: String, in schema: String) -> String {
        quoted(schema) + "." + quoted(name)
    }
}

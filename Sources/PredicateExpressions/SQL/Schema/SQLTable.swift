/// A table, as it is written in SQL.
public struct SQLTable: Hashable, Sendable {
    /// The quoted name, preceded by the name of an attached database if needed.
    public let name: String
    /// The quoted name of the primary key column.
    public let primaryKey: String

    /// Creates a table. The names are written as in SQL, including quotes.
    public init(name: String, primaryKey: String = "\"Z_PK\"") {
        self.name = name
        self.primaryKey = primaryKey
    }
}

/// A table, as it is written in SQL.
public struct SQLTable: Hashable, Sendable {
    /// Quoted, with the name of an attached database before it where it needs one.
    public let name: String
    /// The column of the primary key, quoted.
    public let primaryKey: String

    /// Makes a table; names are as they stand in SQL.
    public init(name: String, primaryKey: String = "\"Z_PK\"") {
        self.name = name
        self.primaryKey = primaryKey
    }
}

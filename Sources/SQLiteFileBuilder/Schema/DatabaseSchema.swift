public import SQLiteAccess

/// The settings and the schema of a database, as SQLite itself understood its CREATE statements.
///
/// The statements are run in another database, mostly one in memory, and read back from there: what the builder
/// writes into sqlite_schema is what SQLite wrote, and columns, automatic indexes and affinities are not guessed from
/// texts.
public struct DatabaseSchema: Sendable {
    public var settings: FileSettings
    public let tables: [TableDefinition]
    /// In the order of their creation.
    let entries: [SchemaEntry]
    /// Why the builder does not write such a database; empty if it does.
    public let declined: [String]

    /// Reads the schema of a connection's main database.
    public init(of connection: Connection) throws(SQLiteError) {
        var reader = SchemaReader(connection)
        settings = try reader.settings()
        entries = try reader.entries()
        var tables: [TableDefinition] = []
        for entry in entries where entry.type == "table" {
            if let table = try reader.table(entry) { tables.append(table) }
        }
        self.tables = tables
        declined = reader.declined
    }

    /// The schema that statements make in a new database.
    public init(making statements: [String]) throws(SQLiteError) {
        let connection = try Connection(path: ":memory:", access: .create)
        connection.setDefensive(false)
        for statement in statements { try connection.execute(statement) }
        try self.init(of: connection)
    }
}

public import SQLiteAccess

/// The settings and the schema of a database, as SQLite itself parsed its CREATE statements.
///
/// The statements are executed in another database, usually in memory, from which the schema is then read. So the
/// builder writes what SQLite wrote into `sqlite_schema`, and does not need to derive columns, automatic indexes and
/// affinities from the statements.
public struct DatabaseSchema: Sendable {
    /// The settings that the header of the file stores.
    public var settings: FileSettings
    /// The tables with their columns and indexes, in the order of their creation.
    public let tables: [TableDefinition]
    /// The entries in the order of their creation.
    let entries: [SchemaEntry]
    /// The reasons why the builder cannot write this database; empty if it can.
    public let declined: [String]

    /// Reads the schema of a connection's main database.
    /// - Throws: `SQLiteError` if the schema cannot be read.
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

    /// Creates the schema that statements create in a new database.
    /// - Throws: `SQLiteError` if a statement does not compile or fails.
    public init(making statements: [String]) throws(SQLiteError) {
        let connection = try Connection(path: ":memory:", access: .create)
        connection.setDefensive(false)
        for statement in statements { try connection.execute(statement) }
        try self.init(of: connection)
    }
}

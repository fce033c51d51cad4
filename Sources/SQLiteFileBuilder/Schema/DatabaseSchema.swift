public import SQLiteAccess

/// The settings and the schema of a database, as SQLite itself understood its CREATE statements.
///
/// The statements are run in another database, mostly one in memory, and read back from there: what the builder
/// writes into sqlite_schema is what SQLite wrote, and columns, automatic indexes and affinities are not guessed from
/// texts.
public struct DatabaseSchema: Sendable {
    /// The settings that the header of the file records.
    public var settings: FileSettings
    /// The tables with their columns and indexes, in the order of their creation.
    public let tables: [TableDefinition]
    /// In the order of their creation.
    let entries: [SchemaEntry]
    /// Why the builder does not write such a database; empty if it does.
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

    /// The schema that statements make in a new database.
    /// - Throws: `SQLiteError` if a statement does not compile or fails.
    public init(making statements: [String]) throws(SQLiteError) {
        let connection = try Connection(path: ":memory:", access: .create)
        connection.setDefensive(false)
        for statement in statements { try connection.execute(statement) }
        try self.init(of: connection)
    }
}

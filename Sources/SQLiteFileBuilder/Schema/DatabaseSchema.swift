public import SQLiteAccess

/// The settings and the schema of a database, as SQLite itself parsed its CREATE statements.
///
/// The statements are executed in another database, usually in memory, from which the schema is then read. So the
/// builder writes what SQLite wrote into `sqlite_schema`, and does not need to derive columns, automatic indexes and
/// affinities from the statements.
///
/// The builder does not check CHECK constraints and the types of STRICT tables, and does not resolve conflicts: the rows
/// that it gets must follow these rules. `DatabaseCheck` lets SQLite check them.
public struct DatabaseSchema: Sendable {
    /// The settings that the header of the file stores.
    public var settings: FileSettings
    /// The tables with their columns and indexes, in the order of their creation.
    public let tables: [TableDefinition]
    /// The names of the indexes that only SQLite can write, because they have a condition, an expression or a collation.
    /// The builder leaves them empty.
    public let unbuiltIndexes: [String]
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
        unbuiltIndexes = reader.unbuiltIndexes
    }

    /// Creates the schema that statements create in a new database.
    /// - Throws: `SQLiteError` if a statement does not compile or fails.
    public init(making statements: [String]) throws(SQLiteError) {
        let connection = try Connection(path: ":memory:", access: .create)
        connection.setDefensive(false)
        for statement in statements { try connection.execute(statement) }
        try self.init(of: connection)
    }

    /// The statements with which SQLite fills the indexes that the builder has left empty. They must be executed before
    /// anything else is done with the file.
    public var indexStatements: [String] { unbuiltIndexes.map { "REINDEX main.\(SQLiteIdentifier.quoted($0))" } }
}

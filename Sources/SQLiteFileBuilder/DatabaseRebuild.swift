public import SQLiteAccess

/// A new database whose file is built, and can be begun again if its rows change.
///
/// A connection to the same file can wait while the file is built. It has created the tables and released its locks.
/// Nothing may read or write the file through the connection during that time; temporary tables may be used. Afterwards
/// the connection detects that the file has changed, and reads it again.
public final class DatabaseRebuild {
    /// The connection that waits; nil if the file is opened only after it is complete.
    private let connection: Connection?
    private var builder: DatabaseBuilder

    /// A value of the change counter that creating the tables alone cannot reach, so that the connection notices the
    /// new file.
    private static let changeCounter: UInt32 = 1 << 20

    /// Begins to build the file of a connection that has created its tables.
    ///
    /// - Parameters:
    ///   - connection: a connection that has created the tables, and holds no locks.
    ///   - indexes: the statements that create the indexes that do not exist yet.
    ///   - limits: how much is kept in memory.
    ///   - keepsRows: whether the rows that exist are copied. There must be few of them.
    /// - Throws: `SQLiteError` if the schema cannot be read; `BuildError` if the file cannot be written, of the kind
    ///   `unsupported` if the builder cannot write such tables.
    public static func begin(
        _ connection: Connection, indexes: [String], limits: BuildLimits = BuildLimits(), keepsRows: Bool = true
    ) throws -> DatabaseRebuild {
        var statements = ["PRAGMA encoding = '\(try DatabaseFile.TextEncoding(of: connection).name)'"]
        for setting in ["page_size", "auto_vacuum", "user_version", "application_id"] {
            statements.append("PRAGMA \(setting) = \(try connection.value("PRAGMA main.\(setting)").integer ?? 0)")
        }
        statements += try connection.rows(
            "SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
        ).compactMap { $0[0].string }
        var schema = try DatabaseSchema(making: statements + indexes)
        guard schema.declined.isEmpty else { throw BuildError(.unsupported(schema.declined), path: connection.path) }
        schema.settings.changeCounter = changeCounter
        return try DatabaseRebuild(connection, schema, limits, keepsRows: keepsRows)
    }

    /// Begins to build a file that no connection has open.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which is truncated.
    ///   - schema: the tables, indexes and settings of the file.
    ///   - limits: how much is kept in memory.
    /// - Throws: `BuildError` if the file cannot be created, or the schema lacks a table that its entries name.
    public init(
        at path: String, _ schema: DatabaseSchema, limits: BuildLimits = BuildLimits()
    ) throws(BuildError) {
        connection = nil
        self.path = path
        builder = try DatabaseBuilder(path: path, schema: schema, limits: limits)
    }

    private init(
        _ connection: Connection, _ schema: DatabaseSchema, _ limits: BuildLimits, keepsRows: Bool
    ) throws {
        self.connection = connection
        path = connection.path
        var kept: [(table: String, rows: [[SQLiteValue]])] = []
        for table in schema.tables where keepsRows {
            let name = SQLiteIdentifier.quoted(table.name)
            kept.append((table.name, try connection.rows("SELECT rowid, * FROM main.\(name) ORDER BY rowid")))
        }
        if connection.isInTransaction { try connection.execute("COMMIT") }
        // The lock is only released by the next read.
        _ = try connection.value("PRAGMA main.locking_mode = NORMAL")
        _ = try connection.value("SELECT count(*) FROM main.sqlite_schema")
        builder = try DatabaseBuilder(path: path, schema: schema, limits: limits)
        for (name, rows) in kept where !rows.isEmpty {
            let table = try builder.table(name)
            for row in rows {
                table.beginRow()
                for value in row.dropFirst() { try table.append(value) }
                try table.endRow(row[0].integer ?? 0)
            }
        }
        try connection.execute("BEGIN")
    }

    /// Returns the builder of a table, to which rows can be appended.
    /// - Throws: `BuildError` of the kind `unknownTable` if the schema does not have the table.
    public func table(_ name: String) throws(BuildError) -> TableBuilder {
        try builder.table(name)
    }

    /// Stops collecting index entries, because the file will be built again.
    public func leaveIndexes() {
        builder.leaveIndexes()
    }

    /// Announces, before the first row is added, that `restart()` will be called, so that rows need not be copied then.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func expectRestart() throws(BuildError) {
        try builder.beginSpool()
    }

    /// Begins the file again without rows.
    ///
    /// - Throws: `BuildError` if the rows cannot be copied, or if the file cannot be written.
    /// - Returns: the rows that the file had.
    public func restart() throws(BuildError) -> BuiltRows {
        let rows = try builder.spool()
        builder = try DatabaseBuilder(path: path, schema: builder.schema, limits: builder.limits)
        return rows
    }

    /// The path of the file that is built.
    public let path: String

    /// The tables that are built.
    public var tables: [TableDefinition] { builder.schema.tables }

    /// Completes the file, and passes it to the connection that waits, in a transaction. If no connection waits, indexes
    /// that the builder cannot write are left empty.
    ///
    /// - Parameter omitted: the names of indexes that the file does not get.
    /// - Throws: `BuildError` if the disk is full or fails, or if rows have the same values in a unique index;
    ///   `SQLiteError` if the connection cannot read the file.
    public func finish(omitting omitted: Set<String> = []) throws {
        if let connection, connection.isInTransaction { try connection.execute("COMMIT") }
        try builder.finish(synchronizes: false, omitting: omitted)
        guard let connection else { return }
        // A journal of the existing rows would grow in memory. It is not needed, because the file is discarded if
        // anything fails.
        _ = try connection.value("PRAGMA main.journal_mode = OFF")
        _ = try connection.value("PRAGMA main.locking_mode = EXCLUSIVE")
        for name in omitted.sorted() { try connection.execute("DROP INDEX \(SQLiteIdentifier.quoted(name))") }
        // REINDEX finds only the indexes of the schema that the connection has read. A query reads the new one.
        _ = try connection.value("SELECT count(*) FROM main.sqlite_schema")
        for statement in builder.schema.indexStatements { try connection.execute(statement) }
        try connection.execute("BEGIN")
    }
}

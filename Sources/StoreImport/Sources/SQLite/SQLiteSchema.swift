internal import PersistentStores
internal import SQLiteAccess

/// The tables and views of a database, for a draft of a mapping: columns, keys and references.
public struct SQLiteSchema: Equatable, Sendable {
    public let relations: [SQLiteRelation]

    /// Reads the schema of a database file.
    public init(path: String) throws {
        try self.init(Connection(path: path, access: .readOnly, busyTimeout: LockTimeout.milliseconds))
    }

    init(_ connection: Connection) throws {
        let found = try connection.rows(
            """
            SELECT name, type FROM sqlite_schema
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
            """)
        relations = try found.map { row in
            try SQLiteRelation(row[0].string ?? "", isView: row[1].string == "view", connection)
        }
    }
}

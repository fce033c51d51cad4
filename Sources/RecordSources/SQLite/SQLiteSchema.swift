internal import PersistentStores
internal import SQLiteAccess

/// The tables and views of a database, for a draft of a mapping: columns, keys and references.
public struct SQLiteSchema: Equatable, Sendable {
    /// The tables and views, by name.
    public let relations: [SQLiteRelation]

    /// Reads the schema of a database file.
    /// - Throws: `SQLiteError` if the file cannot be read, or is not a database.
    public init(path: String) throws {
        try self.init(Connection(path: path, access: .readOnly, busyTimeout: LockTimeout.milliseconds))
    }

    init(_ connection: Connection) throws {
        relations = try Self.names(connection).map { try SQLiteRelation($0.name, isView: $0.isView, connection) }
    }

    /// Returns the names of the tables and views, without their columns.
    static func names(_ connection: Connection) throws -> [(name: String, isView: Bool)] {
        try connection.rows(
            """
            SELECT name, type FROM sqlite_schema
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
            """
        ).map { ($0[0].string ?? "", $0[1].string == "view") }
    }

    /// Returns the table for the rows of a query in a database of rejected rows, which is named by the text of the
    /// query; nil if the database lacks it. If names differ only in case, they are distinguished by trailing spaces.
    static func relation(ofQuery query: String, _ connection: Connection) throws -> SQLiteRelation? {
        func trimmed(_ text: String) -> Substring {
            text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)]
        }
        return try names(connection).first { trimmed($0.name) == trimmed(query) }
            .map { try SQLiteRelation($0.name, isView: $0.isView, connection) }
    }

    /// Returns a table or view; nil if the database has none with this name.
    static func relation(named name: String, _ connection: Connection) throws -> SQLiteRelation? {
        // Only this name is queried, because a database may have thousands.
        let type = try connection.value(
            "SELECT type FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? "
                + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'", [.string(name)])
        guard let type = type.string else { return nil }
        return try SQLiteRelation(name, isView: type == "view", connection)
    }
}

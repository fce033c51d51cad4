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

    /// The tables and views by name, without what is in them.
    static func names(_ connection: Connection) throws -> [(name: String, isView: Bool)] {
        try connection.rows(
            """
            SELECT name, type FROM sqlite_schema
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
            """
        ).map { ($0[0].string ?? "", $0[1].string == "view") }
    }

    /// The table of a query's rows in a database of rejected ones, which the text of the query names; nil if that lacks
    /// it. A name that another query differs from in case only has spaces behind it.
    static func relation(ofQuery query: String, _ connection: Connection) throws -> SQLiteRelation? {
        func trimmed(_ text: String) -> Substring {
            text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)]
        }
        return try names(connection).first { trimmed($0.name) == trimmed(query) }
            .map { try SQLiteRelation($0.name, isView: $0.isView, connection) }
    }

    /// One table or view; nil if the database has no such name.
    static func relation(named name: String, _ connection: Connection) throws -> SQLiteRelation? {
        // A database may have thousands.
        let type = try connection.value(
            "SELECT type FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? "
                + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'", [.string(name)])
        guard let type = type.string else { return nil }
        return try SQLiteRelation(name, isView: type == "view", connection)
    }
}

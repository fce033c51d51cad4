import Foundation
import SQLiteAccess

/// The logical content of a database: equal dumps mean the same schema and the same rows.
public struct StoreDump: Sendable, Equatable {
    /// The CREATE statements, and the rows as SQL literals, by table.
    public let schema: [String]
    public let rows: [String: [String]]
    public let settings: [String]

    /// Opens a database as any program would, so that SQLite recovers what a crash left, and reads all of it.
    public init(of path: String) throws {
        let connection = try Connection(path: path, access: .readWrite, busyTimeout: 2000)
        defer { try? connection.close() }
        let objects = try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
        schema = objects.map { $0.map { $0.string ?? "" }.joined(separator: " | ") }
        settings = try ["user_version", "application_id", "encoding"].map {
            try connection.value("PRAGMA \($0)").literal
        }
        var rows: [String: [String]] = [:]
        for object in objects where object[0].string == "table" {
            guard let name = object[1].string, object[3].string?.uppercased().hasPrefix("CREATE VIRTUAL") != true else {
                continue
            }
            rows[name] = try connection.rows("SELECT * FROM \(SQLiteIdentifier.quoted(name))").map { row in
                row.map(\.literal).joined(separator: ", ")
            }.sorted()
        }
        self.rows = rows
    }

    /// The tables whose rows, or the schema entries that, differ.
    public func differences(from other: StoreDump) -> [String] {
        let tables = Set(rows.keys).union(other.rows.keys).filter { rows[$0] != other.rows[$0] }
        return tables.sorted() + Set(schema).symmetricDifference(other.schema).sorted()
    }
}

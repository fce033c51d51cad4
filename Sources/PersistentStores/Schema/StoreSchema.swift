public import SQLiteAccess

/// The tables, indexes, triggers and views of an existing database.
public struct StoreSchema: Sendable {
    /// The tables in the order of their creation.
    public let tables: [SchemaTable]
    /// The indexes, triggers and views.
    public let objects: [SchemaObject]

    private let indexByName: [String: Int]

    /// Makes a schema from its parts.
    public init(tables: [SchemaTable], objects: [SchemaObject]) {
        self.tables = tables
        self.objects = objects
        indexByName = Dictionary(
            tables.indices.map { (tables[$0].name.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads the schema of a database of a connection.
    /// - Throws: `SQLiteError` if SQLite cannot read the file.
    public init(of connection: Connection, database: String = "main") throws(SQLiteError) {
        let quoted = SQLiteIdentifier.quoted(database)
        var tables: [SchemaTable] = []
        var objects: [SchemaObject] = []
        let rows = try connection.rows("SELECT type, name, tbl_name, sql FROM \(quoted).sqlite_master ORDER BY rowid")
        for row in rows {
            guard let type = row[0].string, let name = row[1].string else { continue }
            if let kind = SchemaObject.Kind(rawValue: type) {
                objects.append(
                    SchemaObject(kind: kind, name: name, table: row[2].string ?? "", sql: row[3].string))
            } else if type == "table" {
                let sql = row[3].string ?? ""
                tables.append(
                    SchemaTable(name: name, sql: sql, columns: try Self.columns(of: name, in: quoted, connection)))
            }
        }
        self.init(tables: tables, objects: objects)
    }

    private static func columns(
        of table: String, in database: String, _ connection: Connection
    ) throws(SQLiteError) -> [SchemaTable.Column] {
        do {
            return try connection.rows("PRAGMA \(database).table_info(\(SQLiteIdentifier.quoted(table)))").map { row in
                SchemaTable.Column(
                    name: row[1].string ?? "", declaredType: (row[2].string ?? "").uppercased(),
                    isPrimaryKey: (row[5].integer ?? 0) > 0)
            }
        } catch  where error.primaryCode == 1 {
            // A virtual table whose module is missing: its columns cannot be known, and are not needed here.
            return []
        }
    }

    /// Returns the table with a name; nil if there is none. Case is ignored, as in SQLite.
    public func table(named name: String) -> SchemaTable? {
        indexByName[name.uppercased()].map { tables[$0] }
    }
}

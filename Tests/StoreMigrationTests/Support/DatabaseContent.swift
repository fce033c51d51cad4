import SQLiteAccess

/// All that a database says: schema, settings, and the rows of every table by their ids.
func databaseContent(_ path: String) throws -> [String: [[SQLiteValue]]] {
    let connection = try Connection(path: path, access: .readOnly)
    defer { try? connection.close() }
    var content = ["schema": try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")]
    for setting in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id"] {
        content[setting] = try connection.rows("PRAGMA \(setting)")
    }
    for table in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        let name = table[0].string ?? ""
        content[name] = try connection.rows("SELECT rowid, * FROM \(SQLiteIdentifier.quoted(name)) ORDER BY 1")
    }
    return content
}

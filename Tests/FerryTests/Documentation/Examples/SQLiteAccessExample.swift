import SQLiteAccess

/// The tables of a database, which is opened so that nothing is written, not even next to it.
func tables(in path: String) throws -> [String] {
    let connection = try Connection(path: path, access: .readOnly)
    let statement = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = ? ORDER BY name")
    try statement.bindText("table", at: 1)
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0)) }
    return names
}

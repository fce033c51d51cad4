import SQLiteAccess

/// What the source's tables are called while a migration runs.
enum SourceNaming: Sendable {
    /// In an attached database of that name.
    case attached(String)

    /// In the same database, some of them renamed.
    case renamed([String: String])

    /// The quoted name for SQL.
    func name(_ table: String) -> String {
        switch self {
        case .attached(let database):
            SQLiteIdentifier.quoted(database) + "." + SQLiteIdentifier.quoted(table)
        case .renamed(let names):
            "main." + SQLiteIdentifier.quoted(names[table] ?? table)
        }
    }
}

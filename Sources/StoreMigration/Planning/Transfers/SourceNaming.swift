import SQLiteAccess

/// The names of the source's tables while a migration runs.
enum SourceNaming: Sendable {
    /// In an attached database with this name.
    case attached(String)

    /// In the same database, in which some of them have temporary names.
    case renamed([String: String])

    /// Returns the quoted name for SQL.
    func name(_ table: String) -> String {
        switch self {
        case .attached(let database):
            SQLiteIdentifier.quoted(database) + "." + SQLiteIdentifier.quoted(table)
        case .renamed(let names):
            "main." + SQLiteIdentifier.quoted(names[table] ?? table)
        }
    }
}

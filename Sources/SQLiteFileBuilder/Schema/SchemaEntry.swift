internal import SQLiteAccess

/// A row of sqlite_schema ("Database File Format", section 2.6).
struct SchemaEntry: Sendable {
    let type: String
    let name: String
    let table: String
    /// Views and triggers have no b-tree.
    let hasTree: Bool
    /// As SQLite recorded it; NULL for automatic indexes.
    let sql: SQLiteValue
}

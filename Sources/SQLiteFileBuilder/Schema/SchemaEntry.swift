internal import SQLiteAccess

/// A row of sqlite_schema ("Database File Format", section 2.6).
struct SchemaEntry: Sendable {
    let type: String
    let name: String
    let table: String
    /// Whether the entry has a b-tree; views and triggers have none.
    let hasTree: Bool
    /// The statement as SQLite recorded it; NULL for automatic indexes.
    let sql: SQLiteValue
}

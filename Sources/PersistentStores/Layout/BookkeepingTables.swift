/// The tables that every store has besides those of its model (docs/format/sqlite-store.md#bookkeeping-tables).
public enum BookkeepingTables {
    /// The CREATE statements by table, as Core Data writes them.
    public static let createStatements: [(table: String, sql: String)] = [
        (
            "Z_PRIMARYKEY",
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
        ),
        ("Z_METADATA", "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"),
        ("Z_MODELCACHE", "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"),
    ]
}

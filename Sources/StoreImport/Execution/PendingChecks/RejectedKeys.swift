import SQLiteAccess

/// The keys of objects that rejected records would have made, for the mappings whose records are skipped where no object
/// has their key: such records behind them are imported again with the rejected ones.
///
/// They wait on disk.
final class RejectedKeys {
    private let table: String
    private let insert: Statement
    private let find: Statement
    private(set) var isEmpty: Bool
    /// In place of a key that cannot be told: any key may be meant. No key is empty.
    private static let unknown: [UInt8] = []

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        table = Self.table(schema)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) (source INTEGER, object INTEGER, key BLOB, record INTEGER, \
            PRIMARY KEY (source, object, key)) WITHOUT ROWID
            """)
        // Of the records with a key the first one counts; they come in their order.
        insert = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2, ?3, ?4)", persistent: true)
        find = try connection.prepare(
            "SELECT 1 FROM \(table) WHERE source = ?1 AND object = ?2 AND key IN (?3, x'') AND record < ?4 LIMIT 1",
            persistent: true)
        // An import that goes on finds those of its first part.
        isEmpty = try connection.value("SELECT 1 FROM \(table) LIMIT 1") == .null
    }

    private static func table(_ schema: String) -> String { "\(schema).ferry_rejected_keys" }

    /// A rejected record would have made the object with a key of a mapping.
    ///
    /// - Parameter key: as `KeyBytes` has it; nil if it cannot be told.
    func append(_ key: [UInt8]?, of mapping: EntityImport, record: Int64) throws(SQLiteError) {
        isEmpty = false
        try insert.bindInteger(Int64(mapping.source.index), at: 1)
        try insert.bindInteger(Int64(mapping.index), at: 2)
        try insert.bindBlob(copying: key ?? Self.unknown, at: 3)
        try insert.bindInteger(record, at: 4)
        try insert.run()
    }

    /// Whether a record before another one would have made, or may have made, the object with a key.
    func contains(
        _ key: ArraySlice<UInt8>, of mapping: EntityImport, before record: Int64
    ) throws(SQLiteError) -> Bool {
        try find.bindInteger(Int64(mapping.source.index), at: 1)
        try find.bindInteger(Int64(mapping.index), at: 2)
        try find.bindBlob(copying: Array(key), at: 3)
        try find.bindInteger(record, at: 4)
        defer { find.reset() }
        return try find.step()
    }

    /// Drops what was noted, also by a part of an import that wrote files of rejected records.
    static func close(_ connection: Connection, schema: String) throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table(schema))")
    }
}

import SQLiteAccess

/// The keys of objects that rejected records would have created, for mappings whose records are skipped if no object
/// has their key. Such records after the rejected ones are imported again together with them.
///
/// The keys are kept on disk.
final class RejectedKeys {
    private let table: String
    private let insert: Statement
    private let find: Statement
    private(set) var isEmpty: Bool
    /// The substitute for a key that cannot be determined and may be any key. No real key is empty.
    private static let unknown: [UInt8] = []

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        table = Self.table(schema)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) (source INTEGER, object INTEGER, key BLOB, record INTEGER, \
            PRIMARY KEY (source, object, key)) WITHOUT ROWID
            """)
        // If several records have a key, the first one counts. Records are added in their order.
        insert = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2, ?3, ?4)", persistent: true)
        find = try connection.prepare(
            "SELECT 1 FROM \(table) WHERE source = ?1 AND object = ?2 AND key IN (?3, x'') AND record < ?4 LIMIT 1",
            persistent: true)
        // A resumed import finds the keys of its earlier runs.
        isEmpty = try connection.value("SELECT 1 FROM \(table) LIMIT 1") == .null
    }

    private static func table(_ schema: String) -> String { "\(schema).ferry_rejected_keys" }

    /// Notes that a rejected record would have created the object with a key of a mapping.
    ///
    /// - Parameters:
    ///   - key: the key in the form of `KeyBytes`; nil if it cannot be determined.
    ///   - mapping: the object mapping.
    ///   - record: the number of the record.
    func append(_ key: [UInt8]?, of mapping: EntityImport, record: Int64) throws(SQLiteError) {
        isEmpty = false
        try insert.bindInteger(Int64(mapping.source.index), at: 1)
        try insert.bindInteger(Int64(mapping.index), at: 2)
        try insert.bindBlob(copying: key ?? Self.unknown, at: 3)
        try insert.bindInteger(record, at: 4)
        try insert.run()
    }

    /// Returns whether a rejected record before another one would have created, or may have created, the object with a
    /// key.
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

    /// Drops the working table, including that of an earlier run of a resumed import that wrote files of rejected
    /// records.
    static func close(_ connection: Connection, schema: String) throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table(schema))")
    }
}

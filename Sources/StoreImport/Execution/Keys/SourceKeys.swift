import SQLiteAccess

/// The keys that exist only in the sources, with the object of each, by which records are related while an import runs.
///
/// They are in a table that is removed with the import. SQLite moves a temporary table to a file if necessary, so
/// memory is bounded, no matter how many keys there are. It is queried in the same way as a table of the store.
final class SourceKeys {
    let table: String
    private let connection: Connection
    private let recordIndex: String
    private let objectIndex: String
    private let insert: Statement
    private let parts: Int

    /// - Parameters:
    ///   - schema: the schema of the table, `temp` or `main`.
    ///   - parts: the number of components of a key.
    init(_ connection: Connection, schema: String, parts: Int) throws(SQLiteError) {
        self.connection = connection
        self.parts = parts
        let name = "ferry_source_keys_\(parts)"
        table = "\(schema).\(name)"
        recordIndex = "\(schema).\(name)_records ON \(name)"
        objectIndex = "\(schema).\(name)_objects ON \(name)"
        let columns = (0..<parts).map { Self.column($0) }.joined(separator: ", ")
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) (\(columns), Z_ENT INTEGER, Z_PK INTEGER, record INTEGER);
            CREATE INDEX IF NOT EXISTS \(schema).\(name)_keys ON \(name) (\(columns));
            """)
        let marks = (1...parts + 3).map { "?\($0)" }.joined(separator: ", ")
        insert = try connection.prepare("INSERT INTO \(table) VALUES (\(marks))", persistent: true)
    }

    /// Returns the column of a component of the key.
    static func column(_ part: Int) -> String { "key\(part)" }

    /// Adds the key of a record, which identifies an object.
    ///
    /// - Parameter record: the record's number, counted through all sources.
    func append(_ key: ReferenceKey, _ target: KeyIndex.Target, record: Int64) throws(SQLiteError) {
        for (index, value) in key.values.enumerated() { try insert.bind(value, at: Int32(index + 1)) }
        let next = Int32(parts + 1)
        try insert.bindInteger(target.entity, at: next)
        try insert.bindInteger(target.primaryKey, at: next + 1)
        try insert.bindInteger(record, at: next + 2)
        try insert.run()
    }

    /// Removes the keys that a record gave to objects.
    func remove(record: Int64) throws(SQLiteError) {
        // Few imports revoke records.
        try connection.execute("CREATE INDEX IF NOT EXISTS \(recordIndex) (record)")
        try connection.execute("DELETE FROM \(table) WHERE record = ?", [.integer(record)])
    }

    /// Removes the keys of an object that is removed, no matter which records gave them, because they would refer to no
    /// object.
    func remove(object key: Int64, entity: Int64) throws(SQLiteError) {
        try connection.execute("CREATE INDEX IF NOT EXISTS \(objectIndex) (Z_PK)")
        try connection.execute(
            "DELETE FROM \(table) WHERE Z_PK = ? AND Z_ENT = ?", [.integer(key), .integer(entity)])
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

import SQLiteAccess

/// The keys that only the sources have, with the object of each: they relate records while an import runs.
///
/// A table that is gone with the import. SQLite spills it to a file of its own, so that memory stays bounded whatever the
/// number. It is looked into as a table of the store is.
final class SourceKeys {
    let table: String
    private let connection: Connection
    private let recordIndex: String
    private let objectIndex: String
    private let insert: Statement
    private let parts: Int

    /// - Parameters:
    ///   - schema: where the keys are, `temp` or `main`.
    ///   - parts: the number of values that a key has.
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

    /// The column of a part of the key.
    static func column(_ part: Int) -> String { "key\(part)" }

    /// A record's key names an object.
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

    /// Forgets the keys that a record gave to objects.
    func remove(record: Int64) throws(SQLiteError) {
        // Few imports take records back.
        try connection.execute("CREATE INDEX IF NOT EXISTS \(recordIndex) (record)")
        try connection.execute("DELETE FROM \(table) WHERE record = ?", [.integer(record)])
    }

    /// Forgets the keys of an object that is removed, whichever records gave them: they would lead nowhere.
    func remove(object key: Int64, entity: Int64) throws(SQLiteError) {
        try connection.execute("CREATE INDEX IF NOT EXISTS \(objectIndex) (Z_PK)")
        try connection.execute(
            "DELETE FROM \(table) WHERE Z_PK = ? AND Z_ENT = ?", [.integer(key), .integer(entity)])
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

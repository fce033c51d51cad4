import ImportMappings
import SQLiteAccess

/// The values that records give to objects which open records created or changed. With them, an object can be restored
/// as if revoked records had not existed.
///
/// They are kept on disk. Objects that have no open record are not included.
final class RecordedObjects {
    private let connection: Connection
    private let schema: String
    private let insert: Statement
    private let find: Statement
    private let insertValue: Statement
    private var isEmpty: Bool

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        self.schema = schema
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(schema).ferry_said (number INTEGER PRIMARY KEY, root INTEGER, object INTEGER, \
            record INTEGER, source INTEGER, mapping INTEGER, policy TEXT, outcome INTEGER, whole INTEGER, content BLOB);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_said_objects ON ferry_said (object, root, record);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_said_records ON ferry_said (record);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_said_matches ON ferry_said (record) \
            WHERE policy = 'error' AND outcome IS NOT NULL;
            CREATE TABLE IF NOT EXISTS \(schema).ferry_before (root INTEGER, object INTEGER, name TEXT, value, \
            PRIMARY KEY (root, object, name)) WITHOUT ROWID;
            """)
        insert = try connection.prepare(
            "INSERT INTO \(schema).ferry_said (root, object, record, source, mapping, policy, outcome, whole, content) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", persistent: true)
        find = try connection.prepare(
            "SELECT 1 FROM \(schema).ferry_said WHERE object = ?1 AND root = ?2 LIMIT 1", persistent: true)
        insertValue = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_before VALUES (?1, ?2, ?3, ?4)", persistent: true)
        isEmpty = try connection.value("SELECT 1 FROM \(schema).ferry_said LIMIT 1") == .null
    }

    func append(_ recorded: RecordedObject, of object: Int64, root: Int) throws(SQLiteError) {
        isEmpty = false
        try insert.bindInteger(Int64(root), at: 1)
        try insert.bindInteger(object, at: 2)
        try insert.bindInteger(recorded.record, at: 3)
        try insert.bindInteger(Int64(recorded.source), at: 4)
        try insert.bindInteger(Int64(recorded.mapping), at: 5)
        try insert.bindText(recorded.policy.rawValue, at: 6)
        try insert.bind(recorded.outcome.map { .integer($0.rawValue) } ?? .null, at: 7)
        try insert.bindInteger(recorded.isWhole ? 1 : 0, at: 8)
        try insert.bindBlob(copying: recorded.content, at: 9)
        try insert.run()
    }

    /// Returns whether anything is recorded for an object.
    func contains(_ object: Int64, root: Int) throws(SQLiteError) -> Bool {
        if isEmpty { return false }
        try find.bindInteger(object, at: 1)
        try find.bindInteger(Int64(root), at: 2)
        defer { find.reset() }
        return try find.step()
    }

    /// Stores the value that a column had before the first change that may be undone.
    func keep(_ value: SQLiteValue, in column: String, of object: Int64, root: Int) throws(SQLiteError) {
        try insertValue.bindInteger(Int64(root), at: 1)
        try insertValue.bindInteger(object, at: 2)
        try insertValue.bindText(column, at: 3)
        try insertValue.bind(value, at: 4)
        try insertValue.run()
    }

    /// Returns the values that columns of an object had before the first change that may be undone. Columns without
    /// such a change are not included.
    func values(before object: Int64, root: Int) throws(SQLiteError) -> [String: SQLiteValue] {
        var values: [String: SQLiteValue] = [:]
        for row in try connection.rows(
            "SELECT name, value FROM \(schema).ferry_before WHERE root = ? AND object = ?",
            [.integer(Int64(root)), .integer(object)])
        {
            values[row[0].string ?? ""] = row[1]
        }
        return values
    }

    /// Replaces the values that an object had before all recorded changes, because another record creates the object
    /// now.
    func reset(_ values: [String: SQLiteValue], before object: Int64, root: Int) throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM \(schema).ferry_before WHERE root = ? AND object = ?",
            [.integer(Int64(root)), .integer(object)])
        for (column, value) in values { try keep(value, in: column, of: object, root: root) }
    }

    /// Returns what is recorded for an object, in the order of the records.
    func all(of object: Int64, root: Int) throws(SQLiteError) -> [RecordedObject] {
        try connection.rows(
            "SELECT number, record, source, mapping, policy, outcome, whole, content FROM \(schema).ferry_said "
                + "WHERE object = ? AND root = ? ORDER BY record, number",
            [.integer(object), .integer(Int64(root))]
        ).map { row in
            RecordedObject(
                number: row[0].integer ?? 0, record: row[1].integer ?? 0, source: Int(row[2].integer ?? 0),
                mapping: Int(row[3].integer ?? 0), policy: row[4].string.flatMap(MatchPolicy.init) ?? .update,
                outcome: row[5].integer.flatMap(RecordCount.Kind.init), isWhole: row[6].integer != 0,
                cells: RecordedObject.cells(of: row[7].blob ?? []))
        }
    }

    /// Returns the objects for which something of a record is recorded.
    func objects(of record: Int64) throws(SQLiteError) -> [(root: Int, object: Int64)] {
        try connection.rows(
            "SELECT DISTINCT root, object FROM \(schema).ferry_said WHERE record = ? ORDER BY root, object",
            [.integer(record)]
        ).map { (Int($0[0].integer ?? 0), $0[1].integer ?? 0) }
    }

    /// Returns the first record that must not find an existing object (`onMatch: error`) and has found one; nil if
    /// there is none.
    func firstMatch() throws(SQLiteError) -> (record: Int64, object: Int64, root: Int, source: Int, mapping: Int)? {
        guard !isEmpty else { return nil }
        return try connection.rows(
            "SELECT record, object, root, source, mapping FROM \(schema).ferry_said "
                + "WHERE policy = 'error' AND outcome IS NOT NULL ORDER BY record LIMIT 1"
        ).first.map { row in
            (
                row[0].integer ?? 0, row[1].integer ?? 0, Int(row[2].integer ?? 0), Int(row[3].integer ?? 0),
                Int(row[4].integer ?? 0)
            )
        }
    }

    /// Forgets what is recorded for an object of a record.
    func remove(_ record: Int64, of object: Int64, root: Int) throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM \(schema).ferry_said WHERE object = ? AND root = ? AND record = ?",
            [.integer(object), .integer(Int64(root)), .integer(record)])
    }

    /// Changes how a record is counted.
    func set(_ outcome: RecordCount.Kind?, of recorded: RecordedObject) throws(SQLiteError) {
        try connection.execute(
            "UPDATE \(schema).ferry_said SET outcome = ? WHERE number = ?",
            [outcome.map { .integer($0.rawValue) } ?? .null, .integer(recorded.number)])
    }

    func close() throws(SQLiteError) {
        try connection.execute(
            "DROP TABLE IF EXISTS \(schema).ferry_said; DROP TABLE IF EXISTS \(schema).ferry_before")
    }
}

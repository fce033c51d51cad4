import ImportMappings
import SQLiteAccess

/// What records say of objects that other records made or changed which may be taken back: with it an object is made again
/// as if those had not been there.
///
/// It waits on disk, and there is nothing in it of objects that only proven records have.
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

    /// Whether anything is recorded of an object.
    func contains(_ object: Int64, root: Int) throws(SQLiteError) -> Bool {
        if isEmpty { return false }
        try find.bindInteger(object, at: 1)
        try find.bindInteger(Int64(root), at: 2)
        defer { find.reset() }
        return try find.step()
    }

    /// Keeps what a column had before the first change that may be taken back.
    func keep(_ value: SQLiteValue, in column: String, of object: Int64, root: Int) throws(SQLiteError) {
        try insertValue.bindInteger(Int64(root), at: 1)
        try insertValue.bindInteger(object, at: 2)
        try insertValue.bindText(column, at: 3)
        try insertValue.bind(value, at: 4)
        try insertValue.run()
    }

    /// What the columns of an object had before the first change that may be taken back, where there was one.
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

    /// Another record has made an object: it had these values before all others.
    func reset(_ values: [String: SQLiteValue], before object: Int64, root: Int) throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM \(schema).ferry_before WHERE root = ? AND object = ?",
            [.integer(Int64(root)), .integer(object)])
        for (column, value) in values { try keep(value, in: column, of: object, root: root) }
    }

    /// What is recorded of an object, in the order of the records.
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

    /// The objects of which a record says something.
    func objects(of record: Int64) throws(SQLiteError) -> [(root: Int, object: Int64)] {
        try connection.rows(
            "SELECT DISTINCT root, object FROM \(schema).ferry_said WHERE record = ? ORDER BY root, object",
            [.integer(record)]
        ).map { (Int($0[0].integer ?? 0), $0[1].integer ?? 0) }
    }

    /// The first record that may not find its object and has; nil if there is none.
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

    /// Forgets what a record says of an object.
    func remove(_ record: Int64, of object: Int64, root: Int) throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM \(schema).ferry_said WHERE object = ? AND root = ? AND record = ?",
            [.integer(object), .integer(Int64(root)), .integer(record)])
    }

    /// A record is counted in another way.
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

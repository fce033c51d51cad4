import SQLiteAccess

/// The objects of rejected records that exist nevertheless. Records that name them are imported again together with the
/// rejected ones, which would otherwise end their links.
///
/// The objects are kept on disk.
final class RefusedObjects {
    private let connection: Connection
    private let schema: String
    private let insertKey: Statement
    private let insertObject: Statement

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        self.schema = schema
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(schema).ferry_refused_keys (source INTEGER, object INTEGER, \
            \((0..<PendingLink.largestKey).map { "key\($0)" }.joined(separator: ", ")));
            CREATE TABLE IF NOT EXISTS \(schema).ferry_refused (root INTEGER, object INTEGER, PRIMARY KEY (root, object)) \
            WITHOUT ROWID;
            """)
        let marks = (0..<PendingLink.largestKey + 2).map { "?\($0 + 1)" }.joined(separator: ", ")
        insertKey = try connection.prepare(
            "INSERT INTO \(schema).ferry_refused_keys VALUES (\(marks))", persistent: true)
        insertObject = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_refused VALUES (?1, ?2)", persistent: true)
    }

    /// Notes the key of a rejected record. Keys with more values than a link can have are left out.
    func append(_ key: [SQLiteValue], source: Int, object: Int) throws(SQLiteError) {
        guard !key.isEmpty, key.count <= PendingLink.largestKey else { return }
        try insertKey.bindInteger(Int64(source), at: 1)
        try insertKey.bindInteger(Int64(object), at: 2)
        for part in 0..<PendingLink.largestKey {
            try insertKey.bind(part < key.count ? key[part] : .null, at: Int32(3 + part))
        }
        try insertKey.run()
    }

    /// Notes an object of a rejected record.
    func append(_ object: Int64, root: Int) throws(SQLiteError) {
        try insertObject.bindInteger(Int64(root), at: 1)
        try insertObject.bindInteger(object, at: 2)
        try insertObject.run()
    }

    /// Finds the objects with the noted keys, and notes them.
    ///
    /// - Parameter objects: returns the objects with a key of an object mapping of a source, with the slot of their
    ///   root entity.
    func find(_ objects: (_ source: Int, _ object: Int, _ key: [SQLiteValue]) throws -> (root: Int, keys: [Int64]))
        throws
    {
        let statement = try connection.prepare("SELECT * FROM \(schema).ferry_refused_keys ORDER BY source, object")
        while try statement.step() {
            var key = (0..<Int32(PendingLink.largestKey)).map { statement.value(2 + $0) }
            while key.last == .null { key.removeLast() }
            let found = try objects(Int(statement.integer(0)), Int(statement.integer(1)), key)
            for object in found.keys { try append(object, root: found.root) }
        }
        statement.reset()
        try connection.execute("DELETE FROM \(schema).ferry_refused_keys")
    }

    /// Calls a closure with all noted objects of a root entity.
    func forEach(root: Int, _ body: (Int64) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT object FROM \(schema).ferry_refused WHERE root = ? ORDER BY object")
        try statement.bindInteger(Int64(root), at: 1)
        while try statement.step() { try body(statement.integer(0)) }
    }

    /// Drops the working tables, including those of an earlier run of a resumed import that wrote files of rejected
    /// records.
    static func close(_ connection: Connection, schema: String) throws(SQLiteError) {
        try connection.execute(
            "DROP TABLE IF EXISTS \(schema).ferry_refused_keys; DROP TABLE IF EXISTS \(schema).ferry_refused")
    }
}

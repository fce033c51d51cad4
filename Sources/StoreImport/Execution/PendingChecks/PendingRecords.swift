import RecordSources
import SQLiteAccess

/// The open records of an import: they are written, but may still be rejected when all others are read, because they
/// name objects that do not exist yet, or because one of their objects has too few or too many links.
///
/// Their changes are kept on disk, with the records themselves, so that each record can be revoked completely.
final class PendingRecords {
    struct Entry {
        let record: Int64
        /// The index of the file that contains the record.
        let file: Int
        /// The number of the record in its file, counted from 1.
        let number: Int
        let line: Int
        /// The byte offset at which the record begins in its source; -1 minus the offset if the record has no bytes of
        /// its own there.
        let byteOffset: Int
        let captured: CapturedRecord

        /// Whether the record has bytes of its own in its source.
        var hasBytes: Bool { byteOffset >= 0 }
    }

    let schema: String
    private let connection: Connection
    private let insertRecord: Statement
    private let insertObject: Statement
    private let insertChange: Statement
    private let insertCount: Statement
    private let findObject: Statement
    private let findRecord: Statement
    private let findRole: Statement
    private let removals: [Statement]
    /// The roots of the objects that open records created or changed.
    private(set) var roots = Set<Int>()
    private(set) var isEmpty = true

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        self.schema = schema
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(schema).ferry_open (record INTEGER PRIMARY KEY, file INTEGER, number INTEGER, \
            line INTEGER, offset INTEGER, bytes BLOB);
            CREATE TABLE IF NOT EXISTS \(schema).ferry_objects (root INTEGER, object INTEGER, record INTEGER, entity INTEGER, \
            role INTEGER, PRIMARY KEY (root, object, record)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(schema).ferry_changes (number INTEGER PRIMARY KEY, record INTEGER, kind INTEGER, \
            relation TEXT, key INTEGER, name TEXT, old, new);
            CREATE TABLE IF NOT EXISTS \(schema).ferry_counts (record INTEGER, slot INTEGER, kind INTEGER, number INTEGER, \
            PRIMARY KEY (record, slot, kind)) WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS \(schema).ferry_changes_record ON ferry_changes (record);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_objects_record ON ferry_objects (record);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_objects_made ON ferry_objects (root, object, role) WHERE role > 1;
            """)
        insertRecord = try connection.prepare(
            "INSERT OR IGNORE INTO \(schema).ferry_open VALUES (?1, ?2, ?3, ?4, ?5, ?6)", persistent: true)
        insertObject = try connection.prepare(
            "INSERT INTO \(schema).ferry_objects VALUES (?1, ?2, ?3, ?4, ?5) "
                + "ON CONFLICT DO UPDATE SET role = max(role, excluded.role)", persistent: true)
        insertChange = try connection.prepare(
            "INSERT INTO \(schema).ferry_changes (record, kind, relation, key, name, old, new) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", persistent: true)
        insertCount = try connection.prepare(
            "INSERT INTO \(schema).ferry_counts VALUES (?1, ?2, ?3, ?4) "
                + "ON CONFLICT DO UPDATE SET number = number + excluded.number", persistent: true)
        findObject = try connection.prepare(
            "SELECT 1 FROM \(schema).ferry_objects WHERE root = ?1 AND object = ?2", persistent: true)
        findRecord = try connection.prepare("SELECT 1 FROM \(schema).ferry_open WHERE record = ?1", persistent: true)
        findRole = try connection.prepare(
            "SELECT role FROM \(schema).ferry_objects WHERE root = ?1 AND object = ?2 AND role > 1 "
                + "AND +record IN (SELECT record FROM \(schema).ferry_open) ORDER BY role DESC LIMIT 1",
            persistent: true)
        removals = try ["objects", "changes", "counts", "open"].map { name throws(SQLiteError) in
            try connection.prepare("DELETE FROM \(schema).ferry_\(name) WHERE record = ?1", persistent: true)
        }
        for row in try connection.rows("SELECT DISTINCT root FROM \(schema).ferry_objects") {
            roots.insert(Int(row[0].integer ?? 0))
        }
        isEmpty = try connection.value("SELECT 1 FROM \(schema).ferry_open LIMIT 1") == .null
    }

    /// The state in memory, which is restored if a batch is rolled back.
    var knowledge: (roots: Set<Int>, isEmpty: Bool) {
        get { (roots, isEmpty) }
        set { (roots, isEmpty) = newValue }
    }

    func append(_ entry: Entry) throws(SQLiteError) {
        isEmpty = false
        try entry.bind(to: insertRecord)
        try insertRecord.run()
    }

    func append(_ object: AffectedObject, of record: Int64) throws(SQLiteError) {
        roots.insert(object.root)
        try insertObject.bindInteger(Int64(object.root), at: 1)
        try insertObject.bindInteger(object.primaryKey, at: 2)
        try insertObject.bindInteger(record, at: 3)
        try insertObject.bindInteger(object.entity, at: 4)
        try insertObject.bindInteger(object.role.rawValue, at: 5)
        try insertObject.run()
    }

    func append(_ change: StoreChange, of record: Int64) throws(SQLiteError) {
        try insertChange.bindInteger(record, at: 1)
        try insertChange.bindInteger(change.kind.rawValue, at: 2)
        try insertChange.bindText(change.table, at: 3)
        try insertChange.bindInteger(change.key, at: 4)
        try insertChange.bindText(change.column, at: 5)
        try insertChange.bind(change.old, at: 6)
        try insertChange.bind(change.new, at: 7)
        try insertChange.run()
    }

    func append(_ count: RecordCount, of record: Int64) throws(SQLiteError) {
        try insertCount.bindInteger(record, at: 1)
        try insertCount.bindInteger(Int64(count.slot), at: 2)
        try insertCount.bindInteger(count.kind.rawValue, at: 3)
        try insertCount.bindInteger(count.number, at: 4)
        try insertCount.run()
    }

    /// Returns what a record added to the counts of the report, apart from the objects that it created.
    func counts(of record: Int64) throws(SQLiteError) -> [RecordCount] {
        try connection.rows(
            "SELECT slot, kind, number FROM \(schema).ferry_counts WHERE record = ?", [.integer(record)]
        ).compactMap { row in
            RecordCount.Kind(rawValue: row[1].integer ?? -1).map { kind in
                RecordCount(slot: Int(row[0].integer ?? 0), kind: kind, number: row[2].integer ?? 0)
            }
        }
    }

    /// Returns whether an open record created or changed an object.
    func contains(_ primaryKey: Int64, root: Int) throws(SQLiteError) -> Bool {
        guard roots.contains(root) else { return false }
        try findObject.bindInteger(Int64(root), at: 1)
        try findObject.bindInteger(primaryKey, at: 2)
        defer { findObject.reset() }
        return try findObject.step()
    }

    // In the statements, the plus sign before `record` keeps SQLite from reading all open records to find those of an
    // object.

    /// Returns how open records created an object; nil if no open record created it.
    func makingRole(of primaryKey: Int64, root: Int) throws(SQLiteError) -> AffectedObject.Role? {
        guard roots.contains(root) else { return nil }
        try findRole.bindInteger(Int64(root), at: 1)
        try findRole.bindInteger(primaryKey, at: 2)
        defer { findRole.reset() }
        guard try findRole.step(), let role = AffectedObject.Role(rawValue: findRole.integer(0)),
            role == .inserted || role == .created
        else { return nil }
        return role
    }

    /// Returns what a record did to an object; nil if it did nothing.
    func role(of record: Int64, _ primaryKey: Int64, root: Int) throws(SQLiteError) -> AffectedObject.Role? {
        try connection.value(
            "SELECT role FROM \(schema).ferry_objects WHERE root = ? AND object = ? AND record = ?",
            [.integer(Int64(root)), .integer(primaryKey), .integer(record)]
        ).integer.flatMap(AffectedObject.Role.init)
    }

    /// Returns the objects that would not exist without a record.
    func madeObjects(of record: Int64) throws(SQLiteError) -> [(root: Int, object: Int64)] {
        try connection.rows(
            "SELECT root, object FROM \(schema).ferry_objects WHERE record = ? AND role > 1", [.integer(record)]
        ).map { (Int($0[0].integer ?? 0), $0[1].integer ?? 0) }
    }

    /// Returns the first record besides another one that creates an object because it names it; nil if there is none.
    func firstNamer(of object: Int64, root: Int, besides record: Int64) throws(SQLiteError) -> Int64? {
        // The index of makers is only used if its condition is part of the query.
        try connection.value(
            "SELECT min(record) FROM \(schema).ferry_objects "
                + "WHERE root = ? AND object = ? AND record <> ? AND role > 1 AND role = 3",
            [.integer(Int64(root)), .integer(object), .integer(record)]
        ).integer
    }

    /// Forgets that records after the one that creates an object would create it because they name it.
    ///
    /// - Parameters:
    ///   - object: the primary key of the object.
    ///   - root: the slot of its root entity.
    ///   - maker: the record that creates it.
    ///   - others: the records that have the key of the object.
    func withdrawNamers(
        of object: Int64, root: Int, behind maker: Int64, besides others: Set<Int64>
    ) throws(SQLiteError) {
        let namers = try connection.rows(
            "SELECT record FROM \(schema).ferry_objects WHERE root = ? AND object = ? AND record > ? AND role > 1 AND role = 3",
            [.integer(Int64(root)), .integer(object), .integer(maker)])
        for namer in namers.compactMap(\.[0].integer) {
            try remove(namer, of: object, root: root)
            guard others.contains(namer) else { continue }
            try append(AffectedObject(root: root, primaryKey: object, entity: 0, role: .shared), of: namer)
        }
    }

    func contains(record: Int64) throws(SQLiteError) -> Bool {
        if isEmpty { return false }
        try findRecord.bindInteger(record, at: 1)
        defer { findRecord.reset() }
        return try findRecord.step()
    }

    /// Returns an open record; nil if the record is not open, or has been revoked.
    func entry(_ record: Int64) throws(SQLiteError) -> Entry? {
        let statement = try connection.prepare(
            "SELECT record, file, number, line, offset, bytes FROM \(schema).ferry_open WHERE record = ?")
        try statement.bindInteger(record, at: 1)
        return try statement.step() ? Entry(statement) : nil
    }

    /// Returns the open record that created an object as its own, or else the first one that created it because it
    /// names it; nil if there is none.
    func maker(of primaryKey: Int64, root: Int) throws(SQLiteError) -> Int64? {
        try connection.value(
            "SELECT record FROM \(schema).ferry_objects WHERE root = ? AND object = ? AND role > 1 "
                + "AND +record IN (SELECT record FROM \(schema).ferry_open) ORDER BY role, record LIMIT 1",
            [.integer(Int64(root)), .integer(primaryKey)]
        ).integer
    }

    /// Returns the open record that created an object, or else the last one that changed it; nil if there is none.
    func record(of primaryKey: Int64, root: Int) throws(SQLiteError) -> Int64? {
        try connection.value(
            "SELECT record FROM \(schema).ferry_objects WHERE root = ? AND object = ? "
                + "AND +record IN (SELECT record FROM \(schema).ferry_open) "
                + "ORDER BY role > 1 DESC, record DESC LIMIT 1",
            [.integer(Int64(root)), .integer(primaryKey)]
        ).integer
    }

    /// Returns the last open record that created or changed an object and has not been revoked; nil if there is none.
    ///
    /// - Parameters:
    ///   - primaryKey: the primary key of the object.
    ///   - root: the slot of its root entity.
    ///   - taken: the table of the revoked records.
    func lastRecord(of primaryKey: Int64, root: Int, without taken: String) throws(SQLiteError) -> Int64? {
        try connection.value(
            "SELECT max(record) FROM \(schema).ferry_objects AS o WHERE root = ? AND object = ? "
                + "AND +record IN (SELECT record FROM \(schema).ferry_open) "
                + "AND NOT EXISTS (SELECT 1 FROM \(taken) AS t WHERE t.record = o.record)",
            [.integer(Int64(root)), .integer(primaryKey)]
        ).integer
    }

    /// Returns the last record that emptied a column of an object, because it took the destination for an object of its
    /// own; nil if there is none.
    func taker(of column: String, of table: String, _ primaryKey: Int64) throws(SQLiteError) -> Int64? {
        try connection.execute("CREATE INDEX IF NOT EXISTS \(schema).ferry_changes_key ON ferry_changes (key)")
        return try connection.value(
            "SELECT record FROM \(schema).ferry_changes WHERE key = ? AND relation = ? AND name = ? AND kind = 0 "
                + "AND new IS NULL ORDER BY record DESC, number DESC LIMIT 1",
            [.integer(primaryKey), .string(table), .string(column)]
        ).integer
    }

    /// Returns the open records that created or changed an object, or have its key.
    func records(of primaryKey: Int64, root: Int) throws(SQLiteError) -> [Int64] {
        guard roots.contains(root) else { return [] }
        return try connection.rows(
            "SELECT record FROM \(schema).ferry_objects WHERE root = ? AND object = ? "
                + "AND +record IN (SELECT record FROM \(schema).ferry_open)",
            [.integer(Int64(root)), .integer(primaryKey)]
        ).compactMap(\.[0].integer)
    }

    /// Returns the changes of a record, the last one first.
    func changes(of record: Int64) throws(SQLiteError) -> [StoreChange] {
        try connection.rows(
            "SELECT kind, relation, key, name, old, new FROM \(schema).ferry_changes WHERE record = ? ORDER BY number DESC",
            [.integer(record)]
        ).map { row in
            StoreChange(
                kind: StoreChange.Kind(rawValue: row[0].integer ?? 0) ?? .cell, table: row[1].string ?? "",
                key: row[2].integer ?? 0, column: row[3].string ?? "", old: row[4], new: row[5])
        }
    }

    /// Returns the objects that a record created and that no other record has.
    func ownObjects(of record: Int64) throws(SQLiteError) -> [AffectedObject] {
        try connection.rows(
            "SELECT root, object, entity, role FROM \(schema).ferry_objects AS o WHERE record = ?1 AND role > 1 AND NOT EXISTS "
                + "(SELECT 1 FROM \(schema).ferry_objects AS s WHERE s.root = o.root AND s.object = o.object "
                + "AND s.record <> ?1 AND s.role > 0) ORDER BY role, object DESC", [.integer(record)]
        ).map { row in
            AffectedObject(
                root: Int(row[0].integer ?? 0), primaryKey: row[1].integer ?? 0, entity: row[2].integer ?? 0,
                role: AffectedObject.Role(rawValue: row[3].integer ?? 0) ?? .inserted)
        }
    }

    /// Returns the next objects whose links must be counted, after a given one; empty if there are no more.
    func objects(behind last: AffectedObject?, upTo count: Int) throws(SQLiteError) -> [AffectedObject] {
        try connection.rows(
            "SELECT root, object, max(entity), max(role) FROM \(schema).ferry_objects WHERE (root, object) > (?, ?) "
                + "GROUP BY root, object ORDER BY root, object LIMIT ?",
            [
                .integer(Int64(last?.root ?? -1)), .integer(last?.primaryKey ?? 0), .integer(Int64(count)),
            ]
        ).map(AffectedObject.init)
    }

    /// Forgets an object that no longer exists.
    func remove(_ object: AffectedObject) throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM \(schema).ferry_objects WHERE root = ? AND object = ?",
            [.integer(Int64(object.root)), .integer(object.primaryKey)])
    }

    /// Forgets that a record created or changed an object.
    func remove(_ record: Int64, of primaryKey: Int64, root: Int) throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM \(schema).ferry_objects WHERE root = ? AND object = ? AND record = ?",
            [.integer(Int64(root)), .integer(primaryKey), .integer(record)])
    }

    /// Forgets a record.
    func remove(_ record: Int64) throws(SQLiteError) {
        for statement in removals {
            try statement.bindInteger(record, at: 1)
            try statement.run()
        }
    }

    func close() throws(SQLiteError) {
        try connection.execute(
            ["open", "objects", "changes", "counts"].map { "DROP TABLE IF EXISTS \(schema).ferry_\($0);" }
                .joined())
    }
}

extension PendingRecords.Entry {
    /// Binds the record to the parameters of a statement, in the order of its properties.
    func bind(to statement: Statement) throws(SQLiteError) {
        try statement.bindInteger(record, at: 1)
        try statement.bindInteger(Int64(file), at: 2)
        try statement.bindInteger(Int64(number), at: 3)
        try statement.bindInteger(Int64(line), at: 4)
        try statement.bindInteger(Int64(byteOffset), at: 5)
        try statement.bindBlob(copying: captured.encoded, at: 6)
    }

    /// Reads a record from the current row of a statement.
    init(_ row: Statement) {
        self.init(
            record: row.integer(0), file: Int(row.integer(1)), number: Int(row.integer(2)),
            line: Int(row.integer(3)), byteOffset: Int(row.integer(4)),
            captured: CapturedRecord(decoding: row.value(5).blob ?? []))
    }
}

extension AffectedObject {
    fileprivate init(_ row: [SQLiteValue]) {
        self.init(
            root: Int(row[0].integer ?? 0), primaryKey: row[1].integer ?? 0, entity: row[2].integer ?? 0,
            role: Role(rawValue: row[3].integer ?? 0) ?? .affected)
    }
}

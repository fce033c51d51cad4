import RecordSources
import SQLiteAccess

/// The records that are revoked: they are rejected long after their batch was written, and their changes are undone. At
/// first they wait for this; then the records themselves are stored. The table also contains records that were rejected
/// immediately, but come after records that may still be revoked.
///
/// They are kept on disk, because one record may require that any number of others are revoked. When all are known,
/// they are rejected in the order of the sources.
final class RevokedRecords {
    private let connection: Connection
    /// The table of the records; its column `record` contains their numbers.
    let table: String
    private let find: Statement
    private let findNext: Statement
    private let insert: Statement
    private let insertWhole: Statement
    private(set) var isEmpty: Bool

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        table = "\(schema).ferry_taken"
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) (record INTEGER PRIMARY KEY, waits INTEGER, file INTEGER, number INTEGER, \
            line INTEGER, offset INTEGER, bytes BLOB, reason BLOB);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_taken_waits ON ferry_taken (record) WHERE waits = 1;
            """)
        find = try connection.prepare("SELECT 1 FROM \(table) WHERE record = ?1", persistent: true)
        findNext = try connection.prepare(
            "SELECT record, reason FROM \(table) WHERE waits = 1 ORDER BY record LIMIT 1", persistent: true)
        insert = try connection.prepare(
            "INSERT OR IGNORE INTO \(table) (record, waits, reason) VALUES (?1, 1, ?2)", persistent: true)
        insertWhole = try connection.prepare(
            "INSERT OR IGNORE INTO \(table) VALUES (?1, 0, ?2, ?3, ?4, ?5, ?6, ?7)", persistent: true)
        // A resumed import finds the records of its earlier runs.
        isEmpty = try connection.value("SELECT 1 FROM \(table) LIMIT 1") == .null
    }

    /// Adds a record that must be revoked, unless it was added before: the first reason counts.
    func append(_ record: Int64, _ reason: RejectionReason) throws {
        isEmpty = false
        try insert.bindInteger(record, at: 1)
        try insert.bindBlob(copying: Self.encoded([reason]), at: 2)
        try insert.run()
    }

    /// Adds a rejected record that has no changes to be undone.
    func append(_ entry: PendingRecords.Entry, _ reasons: [RejectionReason]) throws {
        isEmpty = false
        try entry.bind(to: insertWhole)
        try insertWhole.bindBlob(copying: Self.encoded(reasons), at: 7)
        try insertWhole.run()
    }

    /// Returns the first record that has not been revoked yet; nil if there is none.
    func next() throws -> (record: Int64, reason: RejectionReason)? {
        defer { findNext.reset() }
        guard try findNext.step() else { return nil }
        guard let reason = try Self.reasons(findNext.value(1)).first else { return nil }
        return (findNext.integer(0), reason)
    }

    private static func encoded(_ reasons: [RejectionReason]) -> [UInt8] {
        var encoder = SpoolEncoder()
        encoder.append(count: reasons.count)
        for reason in reasons { reason.encode(into: &encoder) }
        return encoder.bytes
    }

    private static func reasons(_ value: SQLiteValue) throws -> [RejectionReason] {
        var decoder = SpoolDecoder(value.blob ?? [])
        var reasons: [RejectionReason] = []
        for _ in 0..<(try decoder.count()) { reasons.append(try RejectionReason(decoding: &decoder)) }
        return reasons
    }

    /// Notes that a record has been revoked.
    func complete(_ entry: PendingRecords.Entry) throws(SQLiteError) {
        try connection.execute(
            "UPDATE \(table) SET waits = 0, file = ?2, number = ?3, line = ?4, offset = ?5, bytes = ?6 WHERE record = ?1",
            [
                .integer(entry.record), .integer(Int64(entry.file)), .integer(Int64(entry.number)),
                .integer(Int64(entry.line)), .integer(Int64(entry.byteOffset)), .blob(entry.captured.encoded),
            ])
    }

    /// Removes a record that cannot be revoked, because it is not open.
    func leave(_ record: Int64) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table) WHERE record = ?", [.integer(record)])
    }

    func contains(_ record: Int64) throws(SQLiteError) -> Bool {
        if isEmpty { return false }
        try find.bindInteger(record, at: 1)
        defer { find.reset() }
        return try find.step()
    }

    /// Calls a closure with all records that have been revoked, or were rejected after such records, in the order of
    /// the sources, each once. They stay in the table.
    func drain(_ body: (PendingRecords.Entry, [RejectionReason]) throws -> Void) throws {
        guard !isEmpty else { return }
        let statement = try connection.prepare(
            "SELECT record, file, number, line, offset, bytes, reason FROM \(table) WHERE waits = 0 ORDER BY record")
        while try statement.step() {
            try body(PendingRecords.Entry(statement), try Self.reasons(statement.value(6)))
        }
        statement.reset()
        try connection.execute("UPDATE \(table) SET waits = \(Self.written) WHERE waits = 0")
    }

    /// The value of `waits` for records that have been written to the files of rejected records.
    private static let written = 2

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

import SQLiteAccess

/// Links to objects that were not there when their record was read: they wait on disk for the second pass.
///
/// A temporary table: SQLite spills it to a file of its own, so that memory stays bounded whatever the number. Nothing
/// is removed from it before the end: what a later record replaces counts again where that record is rejected.
final class PendingLinks {
    private let connection: Connection
    private let table: String
    private let schema: String
    private let insert: Statement
    private var search = LazyStatement()
    private var later = LazyStatement()
    private var previous = LazyStatement()
    var count: Int64 = 0
    /// Whether several records may say what an object's to-one leads to.
    private var mayRepeat: Bool

    /// - Parameter schema: where the links wait, `temp` or `main`.
    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        self.schema = schema
        table = "\(schema).ferry_pending"
        let columns = PendingLink.columns
        try connection.execute("CREATE TABLE IF NOT EXISTS \(table) (\(columns.joined(separator: ", ")))")
        // An import that goes on finds those of its first part.
        count = try connection.value("SELECT count(*) FROM \(table)").integer ?? 0
        mayRepeat = count > 0
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insert = try connection.prepare("INSERT INTO \(table) VALUES (\(marks))", persistent: true)
    }

    func append(_ link: PendingLink) throws(SQLiteError) {
        if link.isToOne, link.isReplacing { mayRepeat = true }
        try link.bind(to: insert)
        try insert.run()
        count += 1
    }

    /// All links, by relationship and owner: those of a to-one, and those that fill, in the order of the records, others in
    /// the order of their places. Those of which objects are taken from others are in the order of the records of all owners,
    /// and of their mappings, with those of the inverse: what an object's own to-one leads to comes before its list.
    ///
    /// - Parameters:
    ///   - size: how many links the closure gets.
    ///   - role: only those with one of these; nil for all.
    ///   - inverses: by the number of a relationship, that of its inverse, which has a lower one.
    func forEachBatch(
        of size: Int, _ role: PendingLink.Role? = nil, inverses: [Int64: Int64] = [:],
        _ body: ([PendingLink]) throws -> Void
    ) throws {
        let others = inverses.sorted { $0.key < $1.key }.map { " WHEN \($0.key) THEN \($0.value)" }.joined()
        let relationship = others.isEmpty ? "link" : "CASE link\(others) ELSE link END"
        let inOrder = PendingLink.Role([.toOne, .filling, .inTurn, .exclusive]).rawValue
        let together = PendingLink.Role([.exclusive, .ofAllOwners]).rawValue
        let statement = try connection.prepare(
            "SELECT * FROM \(table)\(role.map { " WHERE role & \($0.rawValue) <> 0" } ?? "") ORDER BY \(relationship), "
                + "CASE WHEN role & \(together) = 0 THEN owner END, "
                + "CASE WHEN role & \(inOrder) <> 0 THEN record END, "
                + "CASE WHEN role & \(PendingLink.Role.exclusive.rawValue) <> 0 THEN object END, "
                + "CASE WHEN role & \(PendingLink.Role.exclusive.rawValue) <> 0 "
                + "THEN role & \(PendingLink.Role.toOne.rawValue) = 0 END, "
                + "place, record, ordinal, link")
        var batch: [PendingLink] = []
        while try statement.step() {
            batch.append(PendingLink(statement))
            if batch.count >= size {
                try body(batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        if !batch.isEmpty { try body(batch) }
    }

    func has(_ role: PendingLink.Role) throws(SQLiteError) -> Bool {
        guard count > 0 else { return false }
        return try connection.value("SELECT 1 FROM \(table) WHERE role & \(role.rawValue) <> 0 LIMIT 1") != .null
    }

    /// Most imports need no index.
    private func makeIndex() throws(SQLiteError) {
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(schema).ferry_pending_owners ON ferry_pending (owner, link)")
    }

    /// Whether a record named a destination of an object's relationship that was not there.
    func contains(_ number: Int64, of owner: Int64) throws(SQLiteError) -> Bool {
        guard count > 0 else { return false }
        let statement = try search.prepared(on: connection) { () throws(SQLiteError) in
            try makeIndex()
            return "SELECT 1 FROM \(table) WHERE owner = ?1 AND link = ?2 LIMIT 1"
        }
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(number, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Whether a later record says what a to-one leads to, or a later object of the same record, which is the same one.
    ///
    /// - Parameter taken: the table of the records that are taken back; nil if there are none.
    func isReplaced(_ link: PendingLink, without taken: String?) throws(SQLiteError) -> Bool {
        guard mayRepeat else { return false }
        let statement = try later.prepared(on: connection) { () throws(SQLiteError) in
            try makeIndex()
            let others = PendingLink.Role([.filling, .ifMade]).rawValue
            return "SELECT 1 FROM \(table) AS p WHERE owner = ?1 AND link = ?2 "
                + "AND (record > ?3 OR record = ?3 AND object > ?4) AND role & \(others) = 0" + Self.isLeft(taken)
                + " LIMIT 1"
        }
        try statement.bindInteger(link.owner, at: 1)
        try statement.bindInteger(link.number, at: 2)
        try statement.bindInteger(link.record, at: 3)
        try statement.bindInteger(Int64(link.object), at: 4)
        defer { statement.reset() }
        return try statement.step()
    }

    private static func isLeft(_ taken: String?) -> String {
        taken.map { " AND NOT EXISTS (SELECT 1 FROM \($0) AS t WHERE t.record = p.record)" } ?? ""
    }

    /// The relationships of objects of which a record says what they lead to, and counts.
    func places(of record: Int64) throws(SQLiteError) -> [(number: Int64, owner: Int64)] {
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(schema).ferry_pending_records ON ferry_pending (record)")
        return try connection.rows(
            "SELECT DISTINCT link, owner FROM \(table) WHERE record = ? AND role & \(PendingLink.Role.ifMade.rawValue) = 0",
            [.integer(record)]
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
    }

    /// The links of an object's relationship, in the order of the records.
    func links(_ number: Int64, of owner: Int64, without taken: String?) throws(SQLiteError) -> [PendingLink] {
        let statement = try previous.prepared(on: connection) { () throws(SQLiteError) in
            try makeIndex()
            return "SELECT * FROM \(table) AS p WHERE owner = ?1 AND link = ?2\(Self.isLeft(taken)) "
                + "ORDER BY record, place, ordinal"
        }
        try statement.bindInteger(owner, at: 1)
        try statement.bindInteger(number, at: 2)
        defer { statement.reset() }
        var found: [PendingLink] = []
        while try statement.step() { found.append(PendingLink(statement)) }
        return found
    }

    /// A record that was to be skipped makes its object: what it says counts.
    func take(_ record: Int64, of owner: Int64, relationships numbers: [Int64]) throws(SQLiteError) {
        try change("UPDATE \(table) SET role = role & ~\(PendingLink.Role.ifMade.rawValue)", record, owner, numbers)
    }

    /// A record is skipped that changed an object which no record makes any more: what it says does not count.
    func remove(_ record: Int64, of owner: Int64, relationships numbers: [Int64]) throws(SQLiteError) {
        try change("DELETE FROM \(table)", record, owner, numbers)
    }

    /// Changes what a record says of some links of an object.
    private func change(
        _ statement: String, _ record: Int64, _ owner: Int64, _ numbers: [Int64]
    ) throws(SQLiteError) {
        guard count > 0, !numbers.isEmpty else { return }
        try makeIndex()
        let list = numbers.map(String.init).joined(separator: ", ")
        try connection.execute(
            "\(statement) WHERE owner = ? AND record = ? AND link IN (\(list))", [.integer(owner), .integer(record)])
    }

    /// The indexes are gone with a batch that was undone.
    func forgetIndex() {
        search.forget()
        later.forget()
        previous.forget()
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

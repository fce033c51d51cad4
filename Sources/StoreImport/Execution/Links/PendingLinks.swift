import SQLiteAccess

/// The links that wait on disk until all records are read, most of them because their destination did not exist when
/// their record was read.
///
/// They are in a table, by default a temporary one, which SQLite moves to a file of its own. Memory therefore stays
/// bounded, no matter how many links there are. Links that a later record replaces stay in the table, because they
/// apply again if that record is rejected.
final class PendingLinks {
    private let connection: Connection
    private let table: String
    private let schema: String
    private let insert: Statement
    private var search = LazyStatement()
    private var later = LazyStatement()
    private var previous = LazyStatement()
    private var behind = LazyStatement()
    var count: Int64 = 0
    /// Whether several records may set the to-one relationship of one object.
    private var mayRepeat: Bool

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - schema: the schema of the table, `temp` or `main`.
    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        self.schema = schema
        table = "\(schema).ferry_pending"
        let columns = PendingLink.columns
        try connection.execute("CREATE TABLE IF NOT EXISTS \(table) (\(columns.joined(separator: ", ")))")
        // A resumed import finds the links of its earlier runs.
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

    /// Calls a closure with all links in batches, sorted by relationship and owner. Links of to-one relationships, and
    /// links that fill empty relationships, are in the order of the records; others are in the order of their
    /// positions. Links of relationships whose links all wait (`exclusive`) are in the order of the records of all
    /// owners, and then of the mappings, together with the links of the inverse; an object's own to-one link in a
    /// record comes before its list.
    ///
    /// - Parameters:
    ///   - size: the number of links in a batch.
    ///   - role: limits the links to those with one of these roles; nil for all links.
    ///   - inverses: by the number of a relationship, the number of its inverse, which is lower.
    ///   - body: called with each batch.
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
                + "CASE WHEN role & \(PendingLink.Role.filling.rawValue) <> 0 THEN owner END, "
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

    /// Creates the index by owner when it is first needed: most imports do not need it.
    private func makeIndex() throws(SQLiteError) {
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(schema).ferry_pending_owners ON ferry_pending (owner, link)")
    }

    /// Returns whether a link of an object's relationship waits.
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

    /// Returns whether a later record, or a later object of the same record that is the same, sets the to-one relationship
    /// of a link.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - taken: the table of the revoked records; nil if there are none.
    func isReplaced(_ link: PendingLink, without taken: String?) throws(SQLiteError) -> Bool {
        guard mayRepeat else { return false }
        let statement = try later.prepared(on: connection) { () throws(SQLiteError) in
            try makeIndex()
            let others = PendingLink.Role([.filling, .ifMade]).rawValue
            return "SELECT 1 FROM \(table) AS p WHERE owner = ?1 AND link = ?2 "
                + "AND (record, object, ordinal) > (?3, ?4, ?5) AND role & \(others) = 0" + Self.isLeft(taken)
                + " LIMIT 1"
        }
        try statement.bindInteger(link.owner, at: 1)
        try statement.bindInteger(link.number, at: 2)
        try statement.bindInteger(link.record, at: 3)
        try statement.bindInteger(Int64(link.object), at: 4)
        try statement.bindInteger(link.ordinal, at: 5)
        defer { statement.reset() }
        return try statement.step()
    }

    private static func isLeft(_ taken: String?) -> String {
        taken.map { " AND NOT EXISTS (SELECT 1 FROM \($0) AS t WHERE t.record = p.record)" } ?? ""
    }

    /// Returns the relationships for which a record has links that apply, each with its owner.
    func places(of record: Int64) throws(SQLiteError) -> [(number: Int64, owner: Int64)] {
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(schema).ferry_pending_records ON ferry_pending (record)")
        return try connection.rows(
            "SELECT DISTINCT link, owner FROM \(table) WHERE record = ? AND role & \(PendingLink.Role.ifMade.rawValue) = 0",
            [.integer(record)]
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
    }

    /// Returns the links of an object's relationship in the order of the records, without those of revoked records.
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

    /// Returns whether a link that waited behind others is the first one to be written of those of its record and owner.
    func takeBehind(_ link: PendingLink) throws(SQLiteError) -> Bool {
        guard link.role.contains(.behind) else { return false }
        let statement = try behind.prepared(on: connection) { () throws(SQLiteError) in
            try makeIndex()
            let role = PendingLink.Role.behind.rawValue
            return "UPDATE \(table) SET role = role & ~\(role) "
                + "WHERE owner = ?1 AND record = ?2 AND object = ?3 AND role & \(role) <> 0"
        }
        try statement.bindInteger(link.owner, at: 1)
        try statement.bindInteger(link.record, at: 2)
        try statement.bindInteger(Int64(link.object), at: 3)
        try statement.run()
        return connection.changes > 0
    }

    /// Makes the links of a record apply that was to be skipped, because it now creates the object.
    func take(_ record: Int64, of owner: Int64, relationships numbers: [Int64]) throws(SQLiteError) {
        try change("UPDATE \(table) SET role = role & ~\(PendingLink.Role.ifMade.rawValue)", record, owner, numbers)
    }

    /// Removes the links of a record that is now skipped, because no record creates its object any more.
    func remove(_ record: Int64, of owner: Int64, relationships numbers: [Int64]) throws(SQLiteError) {
        try change("DELETE FROM \(table)", record, owner, numbers)
    }

    /// Runs an UPDATE or DELETE for the links of a record that belong to some relationships of an object.
    private func change(
        _ statement: String, _ record: Int64, _ owner: Int64, _ numbers: [Int64]
    ) throws(SQLiteError) {
        guard count > 0, !numbers.isEmpty else { return }
        try makeIndex()
        let list = numbers.map(String.init).joined(separator: ", ")
        try connection.execute(
            "\(statement) WHERE owner = ? AND record = ? AND link IN (\(list))", [.integer(owner), .integer(record)])
    }

    /// Forgets the statements that use the indexes, which are gone if their batch was rolled back.
    func forgetIndex() {
        search.forget()
        later.forget()
        previous.forget()
        behind.forget()
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

import SQLiteAccess

/// The links whose destinations do not exist, and the records that name them. They are reported when all links are
/// written.
final class AbsentLinks {
    private let connection: Connection
    private let links: String
    private let records: String
    private let insertLink: Statement
    private let insertRecord: Statement
    private(set) var isEmpty: Bool

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        links = "\(schema).ferry_absent"
        records = "\(schema).ferry_waiting"
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(links) (\(PendingLink.columns.joined(separator: ", ")), \
            PRIMARY KEY (record, object, relationship, owner, ordinal)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS \(records) (record INTEGER PRIMARY KEY, file INTEGER, number INTEGER, \
            line INTEGER, offset INTEGER, bytes BLOB);
            """)
        let marks = PendingLink.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insertLink = try connection.prepare("INSERT OR IGNORE INTO \(links) VALUES (\(marks))", persistent: true)
        insertRecord = try connection.prepare(
            "INSERT OR IGNORE INTO \(records) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", persistent: true)
        isEmpty = try connection.value("SELECT 1 FROM \(links) LIMIT 1") == .null
    }

    /// Adds a link, unless it was added before: links are followed again when other records are revoked. Of several to-one
    /// links that a record gives to an object, only one is added.
    func append(_ link: PendingLink) throws(SQLiteError) {
        isEmpty = false
        var link = link
        if link.isToOne, link.ordinal > 0 { link.ordinal = 0 }
        try link.bind(to: insertLink)
        try insertLink.run()
    }

    /// Forgets the links of an object in a relationship, given by its number.
    func remove(_ relationship: Int64, of owner: Int64) throws(SQLiteError) {
        try remove(relationship, of: owner, where: "")
    }

    private func remove(_ relationship: Int64, of owner: Int64, where condition: String) throws(SQLiteError) {
        guard !isEmpty else { return }
        try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(links)_owners ON ferry_absent (owner);
            """)
        try connection.execute(
            "DELETE FROM \(links) WHERE owner = ? AND link = ?\(condition)", [.integer(owner), .integer(relationship)])
    }

    /// Forgets the links of an object in a relationship whose records would have filled its list, but filled nothing.
    func removeFilling(_ relationship: Int64, of owner: Int64) throws(SQLiteError) {
        try remove(relationship, of: owner, where: " AND role & \(PendingLink.Role.filling.rawValue) <> 0")
    }

    /// Stores a record whose links may turn out to have no destination.
    func append(_ entry: PendingRecords.Entry) throws(SQLiteError) {
        try entry.bind(to: insertRecord)
        try insertRecord.run()
    }

    /// Returns a stored record; nil if it was not stored.
    func entry(_ record: Int64) throws(SQLiteError) -> PendingRecords.Entry? {
        let statement = try connection.prepare(
            "SELECT record, file, number, line, offset, bytes FROM \(records) WHERE record = ?")
        try statement.bindInteger(record, at: 1)
        return try statement.step() ? PendingRecords.Entry(statement) : nil
    }

    /// Calls a closure with all links in the order of the records.
    func forEach(_ body: (PendingLink) throws -> Void) throws {
        guard !isEmpty else { return }
        let statement = try connection.prepare(
            "SELECT \(PendingLink.columns.joined(separator: ", ")) FROM \(links) "
                + "ORDER BY record, object, relationship, owner, ordinal")
        while try statement.step() { try body(PendingLink(statement)) }
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(links); DROP TABLE IF EXISTS \(records)")
    }
}

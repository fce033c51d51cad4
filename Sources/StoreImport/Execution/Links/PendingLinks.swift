import SQLiteAccess

/// Links to objects that were not there when their record was read: they wait on disk for the second pass.
///
/// A temporary table: SQLite spills it to a file of its own, so that memory stays bounded whatever the number.
final class PendingLinks {
    private let connection: Connection
    private let table: String
    private let index: String
    private let insert: Statement
    private var removal: Statement?
    var count: Int64 = 0

    /// - Parameter schema: where the links wait, `temp` or `main`.
    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        table = "\(schema).ferry_pending"
        index = "\(schema).ferry_pending_owners ON ferry_pending (toOne, owner) WHERE toOne IS NOT NULL"
        let columns = PendingLink.columns
        try connection.execute("CREATE TABLE IF NOT EXISTS \(table) (\(columns.joined(separator: ", ")))")
        // An import that goes on finds those of its first part.
        count = try connection.value("SELECT count(*) FROM \(table)").integer ?? 0
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insert = try connection.prepare("INSERT INTO \(table) VALUES (\(marks))", persistent: true)
    }

    func append(_ link: PendingLink) throws(SQLiteError) {
        try link.bind(to: insert)
        try insert.run()
        count += 1
    }

    /// All links, by relationship and owner, in the order of the records.
    func forEachBatch(of size: Int, _ body: ([PendingLink]) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT * FROM \(table) ORDER BY source, object, relationship, owner, place, record, ordinal")
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

    /// Forgets what earlier records named as an object's destination of a to-one.
    func remove(toOne: Int64, owner: Int64) throws(SQLiteError) {
        guard count > 0 else { return }
        let statement: Statement
        if let removal {
            statement = removal
        } else {
            // Most imports need no index.
            try connection.execute("CREATE INDEX IF NOT EXISTS \(index)")
            statement = try connection.prepare(
                "DELETE FROM \(table) WHERE toOne = ?1 AND owner = ?2", persistent: true)
            removal = statement
        }
        try statement.bindInteger(toOne, at: 1)
        try statement.bindInteger(owner, at: 2)
        try statement.run()
        count -= connection.changes
    }

    /// What was made for `remove` is gone with a batch that was undone.
    func forgetIndex() {
        removal = nil
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

import SQLiteAccess

/// Links to objects that were not there when their record was read: they wait on disk for the second pass.
///
/// A temporary table: SQLite spills it to a file of its own, so that memory stays bounded whatever the number.
final class PendingLinks {
    struct Link {
        /// The source, object mapping and relationship.
        let source: Int
        let object: Int
        let relationship: Int
        /// The object that has the relationship.
        let owner: Int64
        /// The place among the owner's destinations.
        let ordinal: Int64
        let line: Int
        let key: SQLiteValue
    }

    private let connection: Connection
    private let insert: Statement
    private(set) var count: Int64 = 0

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS ferry_pending (source INTEGER, object INTEGER, relationship INTEGER, "
                + "key, owner INTEGER, ordinal INTEGER, line INTEGER)")
        insert = try connection.prepare("INSERT INTO temp.ferry_pending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", persistent: true)
    }

    func append(_ link: Link) throws(SQLiteError) {
        try insert.bindInteger(Int64(link.source), at: 1)
        try insert.bindInteger(Int64(link.object), at: 2)
        try insert.bindInteger(Int64(link.relationship), at: 3)
        try insert.bind(link.key, at: 4)
        try insert.bindInteger(link.owner, at: 5)
        try insert.bindInteger(link.ordinal, at: 6)
        try insert.bindInteger(Int64(link.line), at: 7)
        try insert.run()
        count += 1
    }

    /// All links, by relationship and owner, in the order of the records.
    func forEachBatch(of size: Int, _ body: ([Link]) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT source, object, relationship, key, owner, ordinal, line FROM temp.ferry_pending "
                + "ORDER BY source, object, relationship, owner, ordinal")
        var batch: [Link] = []
        while try statement.step() {
            batch.append(
                Link(
                    source: Int(statement.integer(0)), object: Int(statement.integer(1)),
                    relationship: Int(statement.integer(2)), owner: statement.integer(4), ordinal: statement.integer(5),
                    line: Int(statement.integer(6)), key: statement.value(3)))
            if batch.count >= size {
                try body(batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        if !batch.isEmpty { try body(batch) }
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS temp.ferry_pending")
    }
}

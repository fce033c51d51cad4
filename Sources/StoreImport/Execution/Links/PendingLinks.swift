import SQLiteAccess

/// Links to objects that were not there when their record was read: they wait on disk for the second pass.
///
/// A temporary table: SQLite spills it to a file of its own, so that memory stays bounded whatever the number.
final class PendingLinks {
    private let connection: Connection
    private let table: String
    private let insert: Statement
    var count: Int64 = 0

    /// The most values that a key may have.
    static let largestKey = 4

    private static let columns = [
        "source", "object", "relationship", "owner", "entity", "record", "line", "replacing", "place", "ordinal",
    ]

    /// - Parameter schema: where the links wait, `temp` or `main`.
    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        table = "\(schema).ferry_pending"
        let columns = Self.columns + (0..<Self.largestKey).map { "key\($0)" }
        try connection.execute("CREATE TABLE IF NOT EXISTS \(table) (\(columns.joined(separator: ", ")))")
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insert = try connection.prepare("INSERT INTO \(table) VALUES (\(marks))", persistent: true)
    }

    func append(_ link: PendingLink) throws(SQLiteError) {
        let numbers = [
            Int64(link.source), Int64(link.object), Int64(link.relationship), link.owner, link.ownerEntity, link.record,
            Int64(link.line), link.isReplacing ? 1 : 0,
        ]
        var index: Int32 = 1
        for number in numbers {
            try insert.bindInteger(number, at: index)
            index += 1
        }
        try insert.bind(link.place, at: index)
        try insert.bindInteger(link.ordinal, at: index + 1)
        for part in 0..<Self.largestKey {
            try insert.bind(part < link.key.count ? link.key[part] : .null, at: index + 2 + Int32(part))
        }
        try insert.run()
        count += 1
    }

    /// All links, by relationship and owner, in the order of the records.
    func forEachBatch(of size: Int, _ body: ([PendingLink]) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT * FROM \(table) ORDER BY source, object, relationship, owner, place, record, ordinal")
        var batch: [PendingLink] = []
        while try statement.step() {
            let first = Int32(Self.columns.count)
            var key = (0..<Int32(Self.largestKey)).map { statement.value(first + $0) }
            while key.last == .null { key.removeLast() }
            batch.append(
                PendingLink(
                    source: Int(statement.integer(0)), object: Int(statement.integer(1)),
                    relationship: Int(statement.integer(2)), owner: statement.integer(3),
                    ownerEntity: statement.integer(4), record: statement.integer(5), line: Int(statement.integer(6)),
                    isReplacing: statement.integer(7) != 0, place: statement.value(8), ordinal: statement.integer(9),
                    key: key))
            if batch.count >= size {
                try body(batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        if !batch.isEmpty { try body(batch) }
    }

    /// Forgets what a record named.
    func remove(record: Int64) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table) WHERE record = ?", [.integer(record)])
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

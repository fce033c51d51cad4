import SQLiteAccess

/// The records that were rejected because another record had one of their unique values first, each with this other
/// record, which may still be rejected itself.
///
/// They are kept on disk.
final class RejectedRivals {
    private let connection: Connection
    private let table: String
    private let insert: Statement

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        table = "\(schema).ferry_rivals"
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(table) (record INTEGER, rival INTEGER, PRIMARY KEY (record, rival)) WITHOUT ROWID"
        )
        insert = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2)", persistent: true)
    }

    func append(_ rival: Int64, of record: Int64) throws(SQLiteError) {
        try insert.bindInteger(record, at: 1)
        try insert.bindInteger(rival, at: 2)
        try insert.run()
    }

    /// Returns the first rival of a record that came before it and is rejected as well; nil if there is none.
    ///
    /// - Parameters:
    ///   - record: the number of the record.
    ///   - rejected: the table of the records that were rejected when all records were read.
    func rejectedRival(of record: Int64, among rejected: String) throws(SQLiteError) -> Int64? {
        try connection.value(
            "SELECT min(rival) FROM \(table) AS r WHERE record = ? AND rival < record AND EXISTS "
                + "(SELECT 1 FROM \(rejected) AS t WHERE t.record = r.rival)", [.integer(record)]
        ).integer
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

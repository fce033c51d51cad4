import SQLiteAccess

/// The ends of one-to-one links that were restored when records were revoked, and whose two sides must be made to
/// agree.
///
/// They are kept on disk.
final class OneToOneEnds {
    private let connection: Connection
    private let table: String
    /// The writers of the one-to-one relationships that the mappings contain, by the number of the relationship.
    private var writers: [Int64: InverseWriter] = [:]
    private(set) var isEmpty: Bool

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        table = "\(schema).ferry_ends"
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(table) (link INTEGER, side INTEGER, object INTEGER, "
                + "PRIMARY KEY (link, side, object)) WITHOUT ROWID")
        isEmpty = try connection.value("SELECT 1 FROM \(table) LIMIT 1") == .null
    }

    func add(_ writer: InverseWriter, of number: Int64) {
        if writer.isOneToOne { writers[number] = writer }
    }

    /// Notes that the to-one relationship of an object has changed, if it is one-to-one.
    func noteOwner(_ object: Int64, _ number: Int64) throws(SQLiteError) {
        if writers[number] != nil { try append(number, 0, object) }
    }

    /// Notes a change if its column is the key of a one-to-one relationship, on either side.
    ///
    /// - Returns: the number of the relationship if the column is in the owners' table; otherwise nil.
    func note(_ change: StoreChange) throws(SQLiteError) -> Int64? {
        var found: Int64?
        for (number, writer) in writers {
            if writer.isOwnKey(change.column, of: change.table) {
                try append(number, 0, change.key)
                found = number
            } else if writer.isInverseKey(change.column, of: change.table) {
                try append(number, 1, change.key)
            }
        }
        return found
    }

    private func append(_ number: Int64, _ side: Int64, _ object: Int64) throws(SQLiteError) {
        isEmpty = false
        try connection.execute(
            "INSERT OR IGNORE INTO \(table) VALUES (?, ?, ?)", [.integer(number), .integer(side), .integer(object)])
    }

    /// Makes both sides of all noted links agree, and forgets the notes.
    ///
    /// - Parameter ended: called with each owner that has lost its link to another owner, the number of the
    ///   relationship, and the former destination.
    func mend(_ ended: (_ owner: Int64, _ number: Int64, _ destination: Int64) throws -> Void) throws {
        guard !isEmpty else { return }
        let statement = try connection.prepare("SELECT link, side, object FROM \(table) ORDER BY link, side, object")
        while try statement.step() {
            let (number, object) = (statement.integer(0), statement.integer(2))
            guard let writer = writers[number] else { continue }
            if statement.integer(1) == 1 {
                try writer.mend(destination: object)
            } else if let lost = try writer.mend(owner: object) {
                try ended(object, number, lost)
            }
        }
        statement.reset()
        try connection.execute("DELETE FROM \(table)")
        isEmpty = true
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

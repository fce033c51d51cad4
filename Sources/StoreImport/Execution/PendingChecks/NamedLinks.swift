import SQLiteAccess

/// Links to objects that may be taken back: each is followed again when its destination goes.
final class NamedLinks {
    /// A link that leads, or led, to such an object.
    struct Entry {
        let number: Int64
        let link: PendingLink
        /// Whether the report counts it as added.
        let isCounted: Bool
    }

    private let connection: Connection
    private let table: String
    private let insert: Statement
    private let find: Statement
    private let lose: Statement
    private let check: Statement
    private let insertLost: Statement
    private let forget: Statement
    private let findLost: Statement

    /// Links that are read at a time: an object may have any number.
    private let windowSize: Int

    init(_ connection: Connection, schema: String, windowSize: Int) throws(SQLiteError) {
        self.connection = connection
        self.windowSize = windowSize
        table = "\(schema).ferry_named"
        let columns = PendingLink.columns.joined(separator: ", ")
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) (number INTEGER PRIMARY KEY, root INTEGER, destination INTEGER, \
            counted INTEGER, \(columns), lost INTEGER);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_named_destination ON ferry_named (root, destination);
            CREATE INDEX IF NOT EXISTS \(schema).ferry_named_lost ON ferry_named (number) WHERE lost = 1;
            """)
        let marks = (1...PendingLink.columns.count + 3).map { "?\($0)" }.joined(separator: ", ")
        insert = try connection.prepare(
            "INSERT INTO \(table) (root, destination, counted, \(columns)) VALUES (\(marks))", persistent: true)
        find = try connection.prepare(
            "SELECT number, counted, \(columns) FROM \(table) WHERE root = ?1 AND destination = ?2 AND number > ?3 "
                + "ORDER BY number LIMIT ?4", persistent: true)
        lose = try connection.prepare(
            "UPDATE \(table) SET lost = 1, root = NULL, destination = NULL WHERE number = ?1", persistent: true)
        check = try connection.prepare(
            "UPDATE \(table) SET role = role | \(PendingLink.Role.checked.rawValue) WHERE number = ?1", persistent: true
        )
        insertLost = try connection.prepare(
            "INSERT INTO \(table) (counted, \(columns), lost) VALUES "
                + "(\((1...PendingLink.columns.count + 1).map { "?\($0)" }.joined(separator: ", ")), 1)",
            persistent: true)
        forget = try connection.prepare("DELETE FROM \(table) WHERE number = ?1", persistent: true)
        findLost = try connection.prepare(
            "SELECT number, counted, \(columns) FROM \(table) WHERE lost = 1 "
                + "ORDER BY role & \(PendingLink.Role.creating.rawValue) DESC, number LIMIT ?1",
            persistent: true)
    }

    func append(_ link: PendingLink, root: Int, destination: Int64, isCounted: Bool) throws(SQLiteError) {
        try insert.bindInteger(Int64(root), at: 1)
        try insert.bindInteger(destination, at: 2)
        try insert.bindInteger(isCounted ? 1 : 0, at: 3)
        try link.bind(to: insert, at: 4)
        try insert.run()
    }

    /// The next links that lead to an object, behind the one with a number; empty if there are no more.
    func links(to destination: Int64, root: Int, behind number: Int64) throws(SQLiteError) -> [Entry] {
        try find.bindInteger(Int64(root), at: 1)
        try find.bindInteger(destination, at: 2)
        try find.bindInteger(number, at: 3)
        try find.bindInteger(Int64(windowSize), at: 4)
        return try entries(find)
    }

    /// A link has lost its destination, and must be followed again.
    ///
    /// - Parameter isChecked: whether it only must lead somewhere: a later record has led it elsewhere.
    func lose(_ entry: Entry, isChecked: Bool = false) throws(SQLiteError) {
        if isChecked {
            try check.bindInteger(entry.number, at: 1)
            try check.run()
        }
        try lose.bindInteger(entry.number, at: 1)
        try lose.run()
    }

    /// A link must be followed that no other has been.
    func lose(_ link: PendingLink) throws(SQLiteError) {
        try insertLost.bindInteger(0, at: 1)
        try link.bind(to: insertLost, at: 2)
        try insertLost.run()
    }

    func forget(_ entry: Entry) throws(SQLiteError) {
        try forget.bindInteger(entry.number, at: 1)
        try forget.run()
    }

    /// Takes out the next links that must be followed again; empty if there are none.
    func takeLost() throws(SQLiteError) -> [PendingLink] {
        try findLost.bindInteger(Int64(windowSize), at: 1)
        let found = try entries(findLost)
        for entry in found { try forget(entry) }
        return found.map(\.link)
    }

    private func entries(_ statement: Statement) throws(SQLiteError) -> [Entry] {
        var found: [Entry] = []
        while try statement.step() {
            found.append(
                Entry(
                    number: statement.integer(0), link: PendingLink(statement, at: 2),
                    isCounted: statement.integer(1) != 0))
        }
        statement.reset()
        return found
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

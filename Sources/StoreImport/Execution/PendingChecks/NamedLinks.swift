import SQLiteAccess

/// The links to objects that may be removed when records are revoked. Each is followed again when its destination is
/// removed.
final class NamedLinks {
    /// A link that leads, or has led, to such an object.
    struct Entry {
        let number: Int64
        let link: PendingLink
        /// Whether the report counts the link as added.
        let isCounted: Bool
    }

    private let connection: Connection
    private let table: String
    private let insert: Statement
    private let find: Statement
    private let findMakers: Statement
    private let lose: Statement
    private let insertLost: Statement
    private let forget: Statement
    private let findLost: Statement

    /// The number of links that are read at a time, because an object may have any number of them.
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
            CREATE INDEX IF NOT EXISTS \(schema).ferry_named_lost ON ferry_named \
            (role & \(PendingLink.Role.creating.rawValue) DESC, number) WHERE lost = 1;
            """)
        let marks = (1...PendingLink.columns.count + 3).map { "?\($0)" }.joined(separator: ", ")
        insert = try connection.prepare(
            "INSERT INTO \(table) (root, destination, counted, \(columns)) VALUES (\(marks))", persistent: true)
        let selection = "SELECT number, counted, \(columns), iif(lost = 1, destination, 0) FROM \(table)"
        let next = "\(selection) WHERE root = ?1 AND destination = ?2 AND number > ?3"
        find = try connection.prepare("\(next) AND lost IS NULL ORDER BY number LIMIT ?4", persistent: true)
        findMakers = try connection.prepare(
            "\(next) AND lost = 1 AND role & \(PendingLink.Role.creating.rawValue) ORDER BY number LIMIT ?4",
            persistent: true)
        lose = try connection.prepare("UPDATE \(table) SET lost = 1, role = ?2 WHERE number = ?1", persistent: true)
        insertLost = try connection.prepare(
            "INSERT INTO \(table) (counted, \(columns), lost) VALUES "
                + "(\((1...PendingLink.columns.count + 1).map { "?\($0)" }.joined(separator: ", ")), 1)",
            persistent: true)
        forget = try connection.prepare("DELETE FROM \(table) WHERE number = ?1", persistent: true)
        findLost = try connection.prepare(
            "\(selection) WHERE lost = 1 ORDER BY role & \(PendingLink.Role.creating.rawValue) DESC, number LIMIT ?1",
            persistent: true)
    }

    func append(_ link: PendingLink, root: Int, destination: Int64, isCounted: Bool) throws(SQLiteError) {
        try insert.bindInteger(Int64(root), at: 1)
        try insert.bindInteger(destination, at: 2)
        try insert.bindInteger(isCounted ? 1 : 0, at: 3)
        try link.bind(to: insert, at: 4)
        try insert.run()
    }

    /// Returns the next links to an object, after the one with a number; empty if there are no more.
    func links(to destination: Int64, root: Int, behind number: Int64) throws(SQLiteError) -> [Entry] {
        try entries(find, destination, root, behind: number)
    }

    /// Returns the next lost links that create a removed object again, after the one with a number; empty if there are
    /// no more.
    func makers(of destination: Int64, root: Int, behind number: Int64) throws(SQLiteError) -> [Entry] {
        try entries(findMakers, destination, root, behind: number)
    }

    private func entries(
        _ statement: Statement, _ destination: Int64, _ root: Int, behind number: Int64
    ) throws(SQLiteError) -> [Entry] {
        try statement.bindInteger(Int64(root), at: 1)
        try statement.bindInteger(destination, at: 2)
        try statement.bindInteger(number, at: 3)
        try statement.bindInteger(Int64(windowSize), at: 4)
        return try entries(statement)
    }

    /// Notes that a link has lost its destination and must be followed again.
    ///
    /// - Parameters:
    ///   - entry: the link.
    ///   - role: the role of the link from now on; nil if it stays the same.
    func lose(_ entry: Entry, as role: PendingLink.Role? = nil) throws(SQLiteError) {
        try lose.bindInteger(entry.number, at: 1)
        try lose.bindInteger((role ?? entry.link.role).rawValue, at: 2)
        try lose.run()
    }

    /// Notes that a link must be followed again that is not in the table yet.
    func lose(_ link: PendingLink) throws(SQLiteError) {
        try insertLost.bindInteger(0, at: 1)
        try link.bind(to: insertLost, at: 2)
        try insertLost.run()
    }

    func forget(_ entry: Entry) throws(SQLiteError) {
        try forget.bindInteger(entry.number, at: 1)
        try forget.run()
    }

    /// Removes the next links that must be followed again from the table, and returns them; empty if there are none.
    func takeLost() throws(SQLiteError) -> [PendingLink] {
        try findLost.bindInteger(Int64(windowSize), at: 1)
        let found = try entries(findLost)
        for entry in found { try forget(entry) }
        return found.map(\.link)
    }

    private func entries(_ statement: Statement) throws(SQLiteError) -> [Entry] {
        var found: [Entry] = []
        while try statement.step() {
            var link = PendingLink(statement, at: 2)
            link.formerDestination = statement.integer(2 + Int32(PendingLink.columns.count))
            found.append(
                Entry(number: statement.integer(0), link: link, isCounted: statement.integer(1) != 0))
        }
        statement.reset()
        return found
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

import PersistentStores
import SQLiteAccess

/// Links of lists, with their order, that wait in a temporary table until SQLite has inserted all rows.
final class WaitingLists {
    /// Links by number of the list: `list`, `owner`, `destination` and `position`.
    static let table = "temp.ferry_links"

    private let connection: Connection
    private var statement: Statement?
    private var numbers: [PropertyKey: Int64] = [:]

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        try connection.execute(
            "CREATE TABLE \(Self.table) (list INTEGER, owner INTEGER, destination INTEGER, position INTEGER)")
        statement = try connection.prepare("INSERT INTO \(Self.table) VALUES (?1, ?2, ?3, ?4)", persistent: true)
    }

    /// The number of a relationship's lists; nil if it has none.
    func number(of key: PropertyKey) -> Int64? { numbers[key] }

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws(SQLiteError) {
        guard let statement else { return }
        let number = numbers[key] ?? Int64(numbers.count)
        numbers[key] = number
        try statement.bindInteger(number, at: 1)
        try statement.bindInteger(owner, at: 2)
        for (position, link) in links.enumerated() {
            try statement.bindInteger(link, at: 3)
            try statement.bindInteger(Int64(position), at: 4)
            try statement.run()
        }
    }

    /// Takes no more links.
    func finish() { statement = nil }
}

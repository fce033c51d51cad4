import SQLiteAccess

/// The unique values that objects had before open records changed them. If such a change is undone, the record that has
/// given the value to another object meanwhile must be revoked as well.
///
/// The values are kept on disk.
final class ReplacedValues {
    private let connection: Connection
    private let table: String
    private let insert: Statement
    /// The roots of the objects that had the values.
    private(set) var roots = Set<Int>()

    init(_ connection: Connection, schema: String) throws(SQLiteError) {
        self.connection = connection
        table = "\(schema).ferry_former_values"
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(table) (root INTEGER, name TEXT, value, PRIMARY KEY (root, name, value))")
        insert = try connection.prepare("INSERT OR IGNORE INTO \(table) VALUES (?1, ?2, ?3)", persistent: true)
        for row in try connection.rows("SELECT DISTINCT root FROM \(table)") { roots.insert(Int(row[0].integer ?? 0)) }
    }

    /// Stores the former value of a column.
    func append(_ value: SQLiteValue, in column: String, root: Int) throws(SQLiteError) {
        guard value != .null else { return }
        roots.insert(root)
        try insert.bindInteger(Int64(root), at: 1)
        try insert.bindText(column, at: 2)
        try insert.bind(value, at: 3)
        try insert.run()
    }

    /// Returns whether an object has one of the values.
    ///
    /// - Parameters:
    ///   - object: the primary key of the object.
    ///   - objects: the table of the object, in quotes.
    ///   - root: the slot of the root entity of the object.
    ///   - columns: the columns that are compared, in quotes.
    func has(_ object: Int64, of objects: String, root: Int, columns: Set<String>) throws(SQLiteError) -> Bool {
        guard roots.contains(root) else { return false }
        for column in columns.sorted() {
            let found = try connection.rows(
                "SELECT 1 FROM \(objects) AS o JOIN \(table) AS r ON r.root = ? AND r.name = ? AND r.value = o.\(column) "
                    + "WHERE o.Z_PK = ?", [.integer(Int64(root)), .string(column), .integer(object)])
            if !found.isEmpty { return true }
        }
        return false
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
}

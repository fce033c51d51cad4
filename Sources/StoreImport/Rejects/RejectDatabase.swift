internal import Glibc
import RecordSources
internal import SQLiteAccess

/// The rejected rows of a database: a database with a table for each table and each query from which they come. The
/// tables have the same columns, types and names, or the query's text as their name, so that the same mapping can read
/// them.
final class RejectDatabase: RejectData {
    let path: String
    private let connection: Connection
    /// The statement that adds the rows of the last source. Late rejections come from several sources in turn.
    private var insertion: (source: RejectSource, statement: Statement, hasKey: Bool)?
    private var count: Int

    /// The table for rows that do not come from a database.
    private static let plainRelation = "rejected"

    /// Creates a database, or continues one after a number of rows; further rows are removed.
    ///
    /// - Parameter isReplacing: false to fail if the file exists.
    init(path: String, keeping kept: Int = 0, isReplacing: Bool) throws {
        self.path = path
        count = kept
        // SQLite would follow a symbolic link.
        var status = stat()
        if lstat(path, &status) == 0 {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            guard isReplacing, !isLink else {
                throw SourceError(.cannotWrite(systemError: isLink ? ELOOP : EEXIST), in: path)
            }
        }
        connection = try Connection(path: path, access: .create)
        for table in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").compactMap(\.[0].string)
        {
            let quoted = SQLiteIdentifier.quoted(table)
            if kept == 0 {
                try connection.execute("DROP TABLE \(quoted)")
            } else if let key = Self.key(
                besides: try connection.rows("PRAGMA table_info(\(quoted))").compactMap(\.[1].string))
            {
                try connection.execute("DELETE FROM \(quoted) WHERE \(key) > \(kept)")
            }
        }
    }

    /// Returns the name by which a table can refer to its row numbers, which count the rows of all tables; nil if
    /// columns have all of these names.
    private static func key(besides columns: [String]) -> String? {
        let taken = Set(columns.map { $0.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }

    /// Creates the table of a source if it does not exist.
    private func prepare(_ source: RejectSource) throws -> (source: RejectSource, statement: Statement, hasKey: Bool) {
        var name = source.relation ?? Self.plainRelation
        func known() throws -> String? {
            try connection.value("SELECT name FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [.string(name)]).string
        }
        var found = try known()
        // The texts of queries may differ only in case.
        while let other = found, other != name {
            name += " "
            found = try known()
        }
        let table = SQLiteIdentifier.quoted(name)
        let names = source.columns.enumerated().map { Self.name(of: $1, at: $0, in: source.columns) }
        let columns = names.map(SQLiteIdentifier.quoted)
        if found == nil {
            // The values of generated columns, and of several columns with the same name, become ordinary values.
            let declarations = zip(columns, source.columns).map { "\($0) \(Self.plainType($1.declaredType ?? ""))" }
            try connection.execute("CREATE TABLE \(table) (\(declarations.joined(separator: ", ")))")
        }
        let key = Self.key(besides: names)
        let targets = columns + (key.map { [$0] } ?? [])
        let values = [String](repeating: "?", count: targets.count).joined(separator: ", ")
        return (
            source,
            try connection.prepare(
                "INSERT INTO \(table) (\(targets.joined(separator: ", "))) VALUES (\(values))", persistent: true),
            key != nil
        )
    }

    private static func name(of column: SourceColumn, at index: Int, in columns: [SourceColumn]) -> String {
        let isTaken = columns[..<index].contains { $0.name.lowercased() == column.name.lowercased() }
        return isTaken || column.name.isEmpty ? "\(column.name)_\(index + 1)" : column.name
    }

    /// Returns a declared type without clauses other than the type, so that the declaration stays valid and has no side
    /// effects.
    private static func plainType(_ declared: String) -> String {
        var type = ""
        for scalar in declared.unicodeScalars {
            let isPlain = scalar.properties.isAlphabetic || " 0123456789(),_".unicodeScalars.contains(scalar)
            if isPlain { type.unicodeScalars.append(scalar) }
        }
        return type
    }

    func append(_ record: CapturedRecord, of source: RejectSource) throws {
        guard case .row(let values) = record else { return }
        if !connection.isInTransaction { try connection.execute("BEGIN IMMEDIATE") }
        let insertion: (source: RejectSource, statement: Statement, hasKey: Bool)
        if let last = self.insertion, last.source == source {
            insertion = last
        } else {
            insertion = try prepare(source)
        }
        self.insertion = insertion
        count += 1
        insertion.statement.clearBindings()
        for (column, value) in values.enumerated() { try insertion.statement.bind(value, at: Int32(column + 1)) }
        if insertion.hasKey {
            try insertion.statement.bind(SQLiteValue.integer(Int64(count)), at: Int32(values.count + 1))
        }
        try insertion.statement.run()
    }

    func checkpoint() throws -> Int {
        if connection.isInTransaction { try connection.execute("COMMIT") }
        return count
    }

    func finish() throws {
        _ = try checkpoint()
    }
}

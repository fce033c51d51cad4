internal import Glibc
import RecordSources
internal import SQLiteAccess

/// Rejected rows of a database: a database with one table of the same columns, and values of the same types.
final class RejectDatabase: RejectData {
    let path: String
    private let connection: Connection
    private let insertion: Statement
    private var count: Int

    /// The table that the rows go to, whatever they come from.
    static let relation = "rejected"

    /// Makes a database, or goes on with one behind so many rows; what it has more is removed.
    ///
    /// - Parameter isReplacing: false to fail where a file is there.
    init(path: String, source: RejectSource, keeping kept: Int = 0, isReplacing: Bool) throws {
        self.path = path
        count = kept
        // SQLite would follow a link.
        var status = stat()
        if lstat(path, &status) == 0 {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            guard isReplacing, !isLink else {
                throw SourceError(.cannotWrite(systemError: isLink ? ELOOP : EEXIST), in: path)
            }
        }
        connection = try Connection(path: path, access: .create)
        let table = SQLiteIdentifier.quoted(RejectDatabase.relation)
        if kept == 0 {
            try connection.execute("DROP TABLE IF EXISTS \(table)")
            let columns = source.columns.enumerated().map { index, column in
                // The values of generated columns and of several columns with one name are plain values here.
                SQLiteIdentifier.quoted(RejectDatabase.name(of: column, at: index, in: source.columns)) + " "
                    + RejectDatabase.plainType(column.declaredType ?? "")
            }
            try connection.execute("CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
        } else {
            try connection.execute("DELETE FROM \(table) WHERE rowid > \(kept)")
        }
        let values = [String](repeating: "?", count: source.columns.count).joined(separator: ", ")
        insertion = try connection.prepare("INSERT INTO \(table) VALUES (\(values))", persistent: true)
    }

    private static func name(of column: SourceColumn, at index: Int, in columns: [SourceColumn]) -> String {
        let isTaken = columns[..<index].contains { $0.name.lowercased() == column.name.lowercased() }
        return isTaken || column.name.isEmpty ? "\(column.name)_\(index + 1)" : column.name
    }

    /// A declared type without what is not a type, so that no declaration is broken or does anything.
    private static func plainType(_ declared: String) -> String {
        var type = ""
        for scalar in declared.unicodeScalars {
            let isPlain = scalar.properties.isAlphabetic || " 0123456789(),_".unicodeScalars.contains(scalar)
            if isPlain { type.unicodeScalars.append(scalar) }
        }
        return type
    }

    func append(_ record: CapturedRecord) throws {
        guard case .row(let values) = record else { return }
        if !connection.isInTransaction { try connection.execute("BEGIN IMMEDIATE") }
        insertion.clearBindings()
        for (column, value) in values.enumerated() { try insertion.bind(value, at: Int32(column + 1)) }
        try insertion.run()
        count += 1
    }

    func checkpoint() throws -> Int {
        if connection.isInTransaction { try connection.execute("COMMIT") }
        return count
    }

    func finish() throws {
        _ = try checkpoint()
    }
}

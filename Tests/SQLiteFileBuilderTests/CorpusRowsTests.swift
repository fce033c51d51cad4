import Foundation
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// The rows of real files, read from their pages and by SQLite.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusRowsTests {
    /// With the log that a file has, and with one that changes its rows.
    @Test(.long, arguments: [false, true]) func theRowsOfEveryTableAreThoseThatSQLiteReads(isChanged: Bool) throws {
        let directory = try TemporaryDirectory()
        let copy = directory.file("copy.sqlite")
        var (files, logged, rows) = (0, 0, 0)
        for path in Corpus.files(under: ".", where: { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }) {
            guard let file = try? DatabaseFile(path: path), file.isSQLite else { continue }
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try Data(contentsOf: URL(filePath: path + suffix)).write(to: URL(filePath: copy + suffix))
            }
            // Open until the rows are read, so that the log stays.
            let writer = try Connection(path: copy, access: .readWrite)
            if isChanged { guard (try? Self.change(writer)) != nil else { continue } }
            let connection = try Connection(path: copy, access: .readOnly)
            try connection.execute("BEGIN")
            guard let tables = try? Self.tables(connection) else { continue }
            files += 1
            if try PageReader(connection).hasLog { logged += 1 }
            for table in tables { rows += try Self.compare(table, connection, path) }
            try connection.close()
            try writer.close()
        }
        #expect(files > 100 && rows > 10_000, "\(files) files, \(rows) rows")
        #expect(logged > (isChanged ? files / 2 : 0), "\(logged) of \(files) have a log")
    }

    private struct Table {
        let name: String
        let columns: [String]
    }

    private static func tables(_ connection: Connection) throws -> [Table] {
        try connection.rows(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0"
        ).compactMap { row in
            guard let name = row[0].string else { return nil }
            let columns = try connection.rows("SELECT name FROM pragma_table_info(?)", [.string(name)])
            return Table(name: name, columns: columns.compactMap { $0[0].string })
        }
    }

    /// Leaves changes of all tables in the log: rows that become longer or shorter, and some that are deleted.
    private static func change(_ connection: Connection) throws {
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        for trigger in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            try connection.execute("DROP TRIGGER \(quoted(trigger[0].string ?? ""))")
        }
        for table in try tables(connection) where !table.name.hasPrefix("sqlite_") {
            let name = quoted(table.name)
            guard let column = table.columns.last.map(quoted) else { continue }
            // A constraint may not allow it.
            _ = try? connection.execute("UPDATE \(name) SET \(column) = \(column) || zeroblob(700) WHERE rowid % 5 = 1")
            _ = try? connection.execute("DELETE FROM \(name) WHERE rowid % 7 = 3")
        }
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    /// Compares the rows of a table, and returns their number; 0 if the pages alone do not determine the values.
    private static func compare(_ table: Table, _ connection: Connection, _ path: String) throws -> Int {
        guard let records = try RecordTable(table.name, in: "main", of: connection),
            let rows = TableRows(
                of: records, columns: table.columns, having: nil, in: try PageReader(connection)),
            let expected = try? connection.rows(
                "SELECT \(table.columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table.name)) ORDER BY "
                    + records.keyName)
        else { return 0 }
        try rows.begin(.min ... .max)
        for values in expected {
            try #require(try rows.next(), "\(path): \(table.name) has another row")
            for (index, value) in values.enumerated() {
                #expect(
                    read(rows, Int32(index)) == value, "\(path): \(table.name).\(table.columns[index]) of \(rows.rowID)"
                )
            }
        }
        #expect(try !rows.next(), "\(path): \(table.name) has no further row")
        return expected.count
    }

    private static func read(_ rows: TableRows, _ column: Int32) -> SQLiteValue {
        func bytes(_ place: ArenaRange) -> [UInt8] {
            var bytes: [UInt8] = []
            rows.withRecord(place) { span in for index in span.indices { bytes.append(span[index]) } }
            return bytes
        }
        return switch rows.value(column) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let place): .text(bytes(place))
        case .blob(let place): .blob(bytes(place))
        }
    }
}

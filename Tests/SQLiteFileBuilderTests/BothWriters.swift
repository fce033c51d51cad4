import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// The same statements and rows written by SQLite and by the builder, and what differs between the two files.
struct BothWriters {
    struct Row {
        var id: Int64
        var values: [SQLiteValue]
    }

    var pageSize = 4096
    var encoding = DatabaseFile.TextEncoding.utf8
    /// 0 none, 1 full, 2 incremental.
    var vacuum = 2
    var statements: [String]
    /// By table, in ascending order of ids.
    var rows: [(table: String, rows: [Row])]
    var limits = BuildLimits()

    var preamble: String {
        "PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding.name)'; PRAGMA auto_vacuum = \(vacuum)"
    }

    func build(_ path: String) throws {
        let schema = try DatabaseSchema(making: [preamble] + statements)
        #expect(schema.declined == [])
        let builder = try DatabaseBuilder(path: path, schema: schema, limits: limits)
        // A row of each table in turn: their trees grow into each other.
        let tables = try rows.map { try (builder.table($0.table), $0.rows) }
        for position in 0..<(tables.map(\.1.count).max() ?? 0) {
            for (table, rows) in tables where position < rows.count {
                table.beginRow()
                for value in rows[position].values { try table.append(value) }
                try table.endRow(rows[position].id)
            }
        }
        try builder.finish()
        guard !schema.unbuiltIndexes.isEmpty else { return }
        let connection = try Connection(path: path, access: .readWrite)
        for statement in schema.indexStatements { try connection.execute(statement) }
        try connection.close()
    }

    func write(_ path: String) throws {
        let connection = try Connection(path: path, access: .create)
        try connection.execute("\(preamble); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        for statement in statements { try connection.execute(statement) }
        try connection.execute("BEGIN")
        for (table, rows) in rows {
            guard let width = rows.first?.values.count else { continue }
            let names = try connection.rows("SELECT name FROM pragma_table_info(?)", [.string(table)])
                .map { SQLiteIdentifier.quoted($0[0].string ?? "") }.joined(separator: ", ")
            let marks = (0..<width).map { "?\($0 + 2)" }.joined(separator: ", ")
            let alias = try Self.rowIDColumn(of: table, in: connection)
            let insert = try connection.prepare(
                alias == nil
                    ? "INSERT INTO \(SQLiteIdentifier.quoted(table)) (_rowid_, \(names)) VALUES (?1, \(marks))"
                    : "INSERT INTO \(SQLiteIdentifier.quoted(table)) (\(names)) VALUES (\(marks))")
            for row in rows {
                if alias == nil { try insert.bindInteger(row.id, at: 1) }
                for (column, value) in row.values.enumerated() {
                    try insert.bind(column == alias ? .integer(row.id) : value, at: Int32(column + 2))
                }
                try insert.run()
            }
        }
        try connection.execute("COMMIT")
        try connection.close()
    }

    static func rowIDColumn(of table: String, in connection: Connection) throws -> Int? {
        let columns = try connection.rows("SELECT pk, upper(type) FROM pragma_table_info(?)", [.string(table)])
        let keys = columns.indices.filter { columns[$0][0] != 0 }
        let indexed = try connection.value(
            "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'", [.string(table)])
        return keys.count == 1 && indexed == 0 ? keys[0] : nil
    }

    /// Builds both files and compares them; then SQLite works on the built one and checks it again.
    func compare(in directory: TemporaryDirectory, worksOn: Bool = true) throws {
        let (built, written) = (directory.file("built.sqlite"), directory.file("written.sqlite"))
        try build(built)
        try write(written)
        let connection = try Connection(path: built, access: .readWrite)
        try expectSound(connection, "as it was built")
        try connection.execute("ATTACH '\(written)' AS other")
        try expectEqual(connection)
        try connection.execute("DETACH other")
        if worksOn { try workOn(connection) }
        try connection.close()
    }

    private func expectSound(_ connection: Connection, _ state: Comment) throws {
        let faults = try connection.rows("PRAGMA integrity_check").map { $0[0].string ?? "" }
        #expect(faults == ["ok"], state)
        #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty, state)
        #expect(try DatabaseCheck(connection, comparesIndexes: true).faults() == [], state)
    }

    private func expectEqual(_ connection: Connection) throws {
        let schema = "SELECT type, name, tbl_name, sql FROM %.sqlite_schema ORDER BY rowid"
        #expect(
            try connection.rows(schema.replacing("%", with: "main"))
                == connection.rows(schema.replacing("%", with: "other")))
        for setting in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id"] {
            #expect(
                try connection.value("PRAGMA main.\(setting)") == connection.value("PRAGMA other.\(setting)"))
        }
        for (table, rows) in rows {
            let quoted = SQLiteIdentifier.quoted(table)
            let columns = try connection.rows("SELECT name FROM pragma_table_info(?)", [.string(table)])
                .map { SQLiteIdentifier.quoted($0[0].string ?? "") }
            // Results have at most 2000 columns.
            for start in stride(from: 0, to: columns.count, by: 1000) {
                let part = columns[start..<min(start + 1000, columns.count)]
                try expectEqual(connection, quoted, (["_rowid_"] + part).joined(separator: ", "), count: rows.count)
                // Different bytes may be read as the same characters.
                guard encoding != .utf8 else { continue }
                let bytes = part.map { "CAST(\($0) AS BLOB)" }
                try expectEqual(connection, quoted, (["_rowid_"] + bytes).joined(separator: ", "), count: rows.count)
            }
        }
    }

    private func expectEqual(_ connection: Connection, _ table: String, _ columns: String, count: Int) throws {
        let ours = try connection.prepare("SELECT \(columns) FROM main.\(table) ORDER BY _rowid_")
        let theirs = try connection.prepare("SELECT \(columns) FROM other.\(table) ORDER BY _rowid_")
        for _ in 0..<count {
            guard try theirs.step(), try ours.step() else {
                Issue.record("\(table) has fewer rows than were written")
                return
            }
            for column in 0..<theirs.columnCount {
                let (our, their) = (ours.value(column), theirs.value(column))
                guard our != their else { continue }
                Issue.record("\(table) row \(theirs.integer(0)) column \(column): \(our) for \(their)")
                return
            }
        }
        #expect(try !ours.step() && !theirs.step())
    }

    /// Changes rows, drops and makes tables, and gives pages back.
    private func workOn(_ connection: Connection) throws {
        for (table, rows) in rows {
            let quoted = SQLiteIdentifier.quoted(table)
            try connection.execute("DELETE FROM \(quoted) WHERE _rowid_ % 3 = 0")
            guard let first = rows.first else { continue }
            let alias = try Self.rowIDColumn(of: table, in: connection)
            for id in rows.prefix(40).map(\.id) where id % 3 == 0 {
                let marks = first.values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
                let values = first.values.enumerated().map { $0 == alias ? .integer(id) : $1 }
                try connection.execute("INSERT OR IGNORE INTO \(quoted) VALUES (\(marks))", values)
            }
        }
        try expectSound(connection, "after deleting and inserting")
        try connection.execute(
            "PRAGMA incremental_vacuum; CREATE TABLE Later (a PRIMARY KEY, b); INSERT INTO Later VALUES (1, 2)")
        try expectSound(connection, "after an incremental vacuum and a new table")
        if let table = rows.first?.table { try connection.execute("DROP TABLE \(SQLiteIdentifier.quoted(table))") }
        try expectSound(connection, "after dropping a table")
        try connection.execute("VACUUM")
        try expectSound(connection, "after a vacuum")
    }
}

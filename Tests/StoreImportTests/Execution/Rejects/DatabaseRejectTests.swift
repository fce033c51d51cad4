import Foundation
import ImportMappings
import ImportTestSupport
import PersistentStores
import RecordSources
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreImport

/// Rows of several tables and queries of a database that are rejected, mended and imported by the same mapping: the store
/// is that of a clean import.
@Suite struct DatabaseRejectTests {
    private static let model =
        PersonModel.entity(
            PersonModel.named,
            more: """
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
                inverseEntity="Team"/>
                """) + """
            <entity name="Team"><attribute name="code" attributeType="String"/>
            <attribute name="size" optional="YES" attributeType="Integer 16"/>
            <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
            inverseEntity="Person"/></entity>
            """

    /// A table with a name of two words, one with columns that are called as row numbers, and two queries whose texts
    /// differ in case only.
    private static let mapping =
        """
        import: 1
        sources:
        - {files: h.db, table: Team list, entity: Team, key: code, attributes: {code: code, size: age}}

        """
        + ["table: people", "query: \"\(query)'a'\"", "query: \"\(query)'A'\""].map { part in
            """
            - files: h.db
              \(part)
              entity: Person
              key: name
              attributes: [name, age]
              relationships: {boss: {by: name, from: boss}, team: {by: code, from: team}}

            """
        }.joined()

    private static let query = "SELECT name, age, good, boss, team FROM more WHERE kind = "

    private static let objects = [
        "SELECT ZCODE, ZSIZE FROM ZTEAM ORDER BY 1",
        """
        SELECT p.ZNAME, p.ZAGE, b.ZNAME, t.ZCODE FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
        LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM ORDER BY 1
        """,
    ]

    /// Makes a database; of some rows the number is a text, and what it should be is beside it.
    private func database(at path: String, isMended: Bool, seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let connection = try Connection(path: path, access: .create)
        defer { try? connection.close() }
        try connection.execute(
            """
            CREATE TABLE "Team list" (code TEXT, age INTEGER, good INTEGER);
            CREATE TABLE people (name TEXT, age, good, boss, team, rowid, OID);
            CREATE TABLE more (kind, name, age, good, boss, team);
            """)
        func age(_ number: Int) -> String {
            let isBad = Int.random(in: 0..<3, using: &random) == 0
            return isBad && !isMended ? "'x\(number)', \(number)" : "\(number), \(number)"
        }
        for index in 0..<12 { try connection.execute("INSERT INTO \"Team list\" VALUES ('t\(index)', \(age(index)))") }
        for index in 0..<40 {
            let boss = "'p\(Int.random(in: 0..<40, using: &random))', 't\(Int.random(in: 0..<12, using: &random))'"
            let (name, kind) = ("'p\(index)'", ["'a'", "'A'"][index % 2])
            try connection.execute(
                index % 3 == 0
                    ? "INSERT INTO people VALUES (\(name), \(age(index)), \(boss), 7, 7)"
                    : "INSERT INTO more VALUES (\(kind), \(name), \(age(index)), \(boss))")
        }
    }

    private struct Stop: Error {}

    private func run(
        _ fixture: ImportFixture, _ paths: [String], rows: Int, writer: NewStoreWriter = .auto, rejects: String? = nil,
        commit: ImportOptions.Commit = .whole, stoppingBehind batch: Int? = nil, isResuming: Bool = false
    ) throws -> ImportReport {
        var options = ImportOptions(rows: rows, writer, rejects: rejects)
        options.commit = commit
        options.isResuming = isResuming
        var (count, isStopped) = (0, false)
        options.onCheckpoint = { name in
            if name == "batch committed" { count += 1 }
            if let batch, count > batch { isStopped = true }
        }
        options.isCancelled = { isStopped }
        return try fixture.run(paths, .mapping(ImportMapping(yaml: Self.mapping)), options: options)
    }

    /// Puts what is beside a wrong number in its place, in every table.
    private func mend(_ path: String) throws {
        let connection = try Connection(path: path, access: .readWrite)
        defer { try? connection.close() }
        for table in try connection.rows("SELECT name FROM sqlite_schema").compactMap(\.[0].string) {
            try connection.execute("UPDATE \(SQLiteIdentifier.quoted(table)) SET age = good")
        }
    }

    private func clean(seed: UInt64) throws -> [[String]] {
        let fixture = try ImportFixture(entities: Self.model)
        let path = fixture.directory.file("h.db")
        try database(at: path, isMended: true, seed: seed)
        #expect(try run(fixture, [path], rows: 1000).rejected == 0)
        return try Self.objects.map { try fixture.rows($0) }
    }

    private func expectCleanStore(_ fixture: ImportFixture, rejects: String, rows: Int, seed: UInt64) throws {
        let files = ["h.rejected.sqlite", "h.unlinked.sqlite"].map { rejects + "/" + $0 }
            .filter { FileManager.default.fileExists(atPath: $0) }
        #expect(files.count == 2)
        for file in files { try mend(file) }
        #expect(try run(fixture, files, rows: rows).rejected == 0)
        #expect(try Self.objects.map { try fixture.rows($0) } == clean(seed: seed), "\(rows) rows, seed \(seed)")
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 2, 3, 7, 1000], [NewStoreWriter.auto, .sqlite])
    func mendedRowsAreImportedByTheSameMapping(rows: Int, writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let path = fixture.directory.file("h.db")
        let rejects = fixture.directory.file("rejects")
        try database(at: path, isMended: false, seed: UInt64(rows))
        let report = try run(fixture, [path], rows: rows, writer: writer, rejects: rejects)
        #expect(report.rejected > 0 && report.unresolvedLinks > 0)
        let connection = try Connection(path: rejects + "/h.rejected.sqlite", access: .readOnly)
        let tables = try connection.rows("SELECT name FROM sqlite_schema ORDER BY rowid").compactMap(\.[0].string)
        #expect(tables == ["Team list", "people", Self.query + "'a'", Self.query + "'A' "])
        var count: Int64 = 0
        for table in tables {
            count += try connection.value("SELECT count(*) FROM \(SQLiteIdentifier.quoted(table))").integer ?? 0
        }
        #expect(count == report.rejected)
        try connection.close()
        try expectCleanStore(fixture, rejects: rejects, rows: rows, seed: UInt64(rows))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 9, 12])
    func aRunThatGoesOnContinuesTheTables(batch: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let path = fixture.directory.file("h.db")
        let rejects = fixture.directory.file("rejects")
        try database(at: path, isMended: false, seed: 42)
        #expect(throws: ImportError.self) {
            try run(fixture, [path], rows: 3, rejects: rejects, commit: .batch, stoppingBehind: batch)
        }
        _ = try run(fixture, [path], rows: 3, rejects: rejects, commit: .batch, isResuming: true)
        // Written once each, whatever the first run had written behind its last checkpoint.
        let connection = try Connection(path: rejects + "/h.rejected.sqlite", access: .readOnly)
        for table in try connection.rows("SELECT name FROM sqlite_schema").compactMap(\.[0].string) {
            let quoted = SQLiteIdentifier.quoted(table)
            #expect(try connection.rows("SELECT good, count(*) FROM \(quoted) GROUP BY 1 HAVING count(*) > 1") == [])
        }
        try connection.close()
        try expectCleanStore(fixture, rejects: rejects, rows: 3, seed: 42)
    }

    /// What a table has no rows of is nothing to import; a database of other tables is still an error.
    @Test func onlyTheTablesOfRejectedRowsAreThere() throws {
        let fixture = try ImportFixture(entities: Self.model)
        let path = fixture.directory.file("h.rejected.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE other (code, age)")
        #expect(throws: SourceError.self) { try run(fixture, [path], rows: 7) }
        try connection.execute("CREATE TABLE \"Team list\" (code, age); INSERT INTO \"Team list\" VALUES ('t', 1)")
        #expect(try run(fixture, [path], rows: 7).sources.map(\.records) == [1])
        #expect(try fixture.rows(Self.objects[0]) == ["t|1"])
    }
}

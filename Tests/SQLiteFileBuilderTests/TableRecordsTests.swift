import Foundation
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// Records that are read from pages, and written again, held against what SQLite reads.
@Suite struct TableRecordsTests {
    @Test(.long, arguments: UInt64(1)...12)
    func recordsAreThoseThatSQLiteReads(_ seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: seed)
        let path = directory.file("source.sqlite")
        var database = RandomDatabase(seed: seed &+ 500, budget: 200_000)
        let made = database.make()
        try made.write(path)
        let connection = try Connection(path: path, access: .readOnly)
        try connection.execute("BEGIN")
        let pages = try PageReader(connection)
        for (table, rows) in made.rows {
            let name = SQLiteIdentifier.quoted(table)
            let root = try #require(
                try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = ?", [.string(table)]).integer)
            var records = TableRecords(pages, root: UInt32(root))
            try records.seek(to: .min)
            var found: [Int64] = []
            while let rowID = try records.next() { found.append(rowID) }
            #expect(found == rows.map(\.id))
            for _ in 0..<20 {
                let known = rows.randomElement(using: &random)?.id ?? 0
                let start = Bool.random(using: &random) ? Int64(bitPattern: random.next()) : known
                try records.seek(to: start)
                let expected = try connection.rows(
                    "SELECT _rowid_ FROM \(name) WHERE _rowid_ >= ? ORDER BY _rowid_ LIMIT 3", [.integer(start)])
                for row in expected { #expect(try records.next() == row[0].integer) }
            }
        }
    }

    /// Columns change their places and their affinities, some are constants, some numbers are replaced.
    @Test(arguments: [512, 4096], [DatabaseFile.TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func copiedRecordsHaveTheSameValues(_ pageSize: Int, _ encoding: DatabaseFile.TextEncoding) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("source.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding.name)';
            CREATE TABLE S (k INTEGER PRIMARY KEY, e INTEGER, r FLOAT, t VARCHAR, b BLOB, n DECIMAL);
            INSERT INTO S WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 900)
                SELECT i * 3, i % 4, i / CASE WHEN i % 2 THEN 1.0 ELSE 8 END, 'text ' || i,
                       CASE WHEN i % 50 THEN randomblob(i % 30) ELSE zeroblob(i * 20) END,
                       CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i / 3.0 WHEN 3 THEN -i * 1000000000000
                       ELSE 'x' END FROM c;
            """)
        try connection.execute("ALTER TABLE S ADD COLUMN later INTEGER")
        let target = directory.file("target.sqlite")
        let schema = try DatabaseSchema(making: [
            "PRAGMA encoding = '\(encoding.name)'",
            "CREATE TABLE D (n DECIMAL, k INTEGER PRIMARY KEY, rAsText VARCHAR, rAsBlob BLOB, r FLOAT, nAsReal FLOAT, "
                + "e INTEGER, c VARCHAR, t VARCHAR, b BLOB, later INTEGER, empty INTEGER)",
            "CREATE INDEX I ON D (t, e)",
        ])
        let builder = try DatabaseBuilder(path: target, schema: schema)
        let table = try builder.table("D")
        let columns: [RecordColumn] = [
            .value(5, .numeric), .rowID, .value(2, .real), .value(2, .real), .value(2, .real), .value(5, .numeric),
            .replaced(1, try #require(SmallNumbers([1: 10, 3: 30]))), .constant(.string("c")), .value(3, .text),
            .value(4, .blob), .value(6, .integer), .null,
        ]
        try connection.execute("BEGIN")
        let records = TableRecords(
            try PageReader(connection),
            root: UInt32(try connection.value("SELECT rootpage FROM sqlite_schema").integer ?? 0))
        let copy = RecordCopy(
            records, columns: 7, rows: .all, keyOffset: 0,
            encoder: try RowEncoder(table.definition, from: columns, path: target))
        let block = RowBlock()
        try copy.begin(.min ... .max)
        #expect(try !copy.fill(block, rows: .max, bytes: .max))
        try connection.execute("COMMIT")
        try table.append(block)
        try builder.finish()
        try connection.execute("ATTACH '\(target)' AS target")
        let differing = try connection.value(
            """
            SELECT count(*) FROM S LEFT JOIN target.D d ON d.k = S.k
            WHERE d.n IS NOT S.n OR typeof(d.n) <> typeof(S.n) OR d.rAsText IS NOT CAST(S.r AS TEXT)
                OR typeof(d.rAsBlob) <> 'real' OR d.rAsBlob IS NOT S.r OR d.r IS NOT S.r OR typeof(d.r) <> 'real'
                OR d.nAsReal IS NOT CASE WHEN typeof(S.n) = 'text' THEN S.n ELSE CAST(S.n AS REAL) END
                OR d.e IS NOT CASE S.e WHEN 1 THEN 10 WHEN 3 THEN 30 ELSE S.e END OR d.c <> 'c' OR d.t IS NOT S.t
                OR d.b IS NOT S.b OR d.later IS NOT NULL OR d.empty IS NOT NULL
            """)
        #expect(differing == 0)
        #expect(try connection.value("SELECT count(*) FROM target.D") == 900)
        #expect(try connection.value("PRAGMA target.integrity_check") == "ok")
    }

    /// Copies the columns of a table in their order, and returns the file.
    private func copied(_ source: String, from path: String, to target: String) throws -> Data {
        let connection = try Connection(path: path, access: .readOnly)
        try connection.execute("BEGIN")
        let schema = try DatabaseSchema(making: [
            "CREATE TABLE D (k INTEGER PRIMARY KEY, a INTEGER, t VARCHAR, b BLOB, later INTEGER)",
            "CREATE INDEX I ON D (t, later)",
        ])
        let builder = try DatabaseBuilder(path: target, schema: schema)
        let table = try builder.table("D")
        let root = try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = '\(source)'").integer ?? 0
        let columns: [RecordColumn] = [
            .rowID, .value(1, .integer), .value(2, .text), .value(3, .blob), .value(4, .integer),
        ]
        let copy = RecordCopy(
            TableRecords(try PageReader(connection), root: UInt32(root)), columns: 5, rows: .all, keyOffset: 0,
            encoder: try RowEncoder(table.definition, from: columns, path: target))
        let block = RowBlock()
        try copy.begin(.min ... .max)
        #expect(try !copy.fill(block, rows: .max, bytes: .max))
        try table.append(block)
        try builder.finish()
        return try Data(contentsOf: URL(fileURLWithPath: target))
    }

    /// Values that follow each other are copied together, but not if the types of a record take more bytes than
    /// necessary, or if the record is older than the last column. The file is that of a plain copy of the values.
    @Test func valuesThatFollowEachOtherAreCopiedAsIfOneByOne() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("source.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            CREATE TABLE S (k INTEGER PRIMARY KEY, a INTEGER, t VARCHAR, b BLOB);
            CREATE TABLE P (k INTEGER PRIMARY KEY, a INTEGER, t VARCHAR, b BLOB, later INTEGER);
            INSERT INTO S VALUES (1, 300, 'old', x'0102'), (2, 300, '-marked', x'03');
            ALTER TABLE S ADD COLUMN later INTEGER;
            INSERT INTO S VALUES (3, NULL, NULL, NULL, 7), (4, 300, '-marked', x'04', -1);
            """)
        try connection.close()
        var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        for marked in bytes.indices where bytes[marked...].starts(with: "-marked".utf8) {
            // The type of the number gets two bytes, of which the text loses one.
            let start = try #require((0..<marked).last { bytes[$0...].starts(with: [0, 2, 13 + 2 * 7]) }) - 1
            let values = Array(bytes[marked - 2..<marked]) + "marked".utf8
            let types = Array(bytes[start + 4..<marked - 2])
            bytes.replaceSubrange(
                start..<marked + 7, with: [bytes[start] + 1, 0, 0x80, 2, 13 + 2 * 6] + types + values)
        }
        try directory.write(bytes, to: "source.sqlite")
        let changed = try Connection(path: path, access: .readWrite)
        #expect(try changed.value("SELECT count(*) FROM S WHERE t = 'marked' AND a = 300") == 2)
        // Without a condition, SQLite would copy the records as they are.
        try changed.execute("INSERT INTO P SELECT * FROM S WHERE k > 0")
        try changed.close()
        let plain = try copied("P", from: path, to: directory.file("plain.sqlite"))
        #expect(try copied("S", from: path, to: directory.file("copied.sqlite")) == plain)
        let target = try Connection(path: directory.file("copied.sqlite"), access: .readOnly)
        try target.execute("ATTACH '\(path)' AS source")
        #expect(try target.rows("SELECT * FROM D") == target.rows("SELECT * FROM source.S"))
        #expect(try target.value("PRAGMA main.integrity_check") == "ok")
    }

    @Test func damageIsAnErrorWithItsPage() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("source.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE T (a); CREATE INDEX I ON T (a); INSERT INTO T VALUES (1); BEGIN")
        var records = TableRecords(try PageReader(connection), root: 3)
        #expect(throws: SQLiteError.malformed("page 3 is damaged", path: path)) { try records.seek(to: 1) }
        var others = TableRecords(try PageReader(connection), root: 99)
        #expect(throws: SQLiteError.malformed("page 99 is damaged", path: path)) { try others.seek(to: 1) }
    }

    /// A record that says to be longer than the file, in pages that lead back to each other.
    @Test func pagesThatLeadInACircleAreAnError() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("source.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("PRAGMA page_size = 512; CREATE TABLE T (a); INSERT INTO T VALUES (zeroblob(20000))")
        try connection.close()
        var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        // The only cell of page 2 lies at its end; its size has three bytes, and becomes 2 MB.
        let cell = 512 + Int(bytes[512 + 8]) << 8 + Int(bytes[512 + 9])
        try #require(bytes[cell] & 0x80 != 0 && bytes[cell + 1] & 0x80 != 0 && bytes[cell + 2] & 0x80 == 0)
        bytes.replaceSubrange(cell..<cell + 3, with: [0xFF, 0xFF, 0x7F])
        // Page 4 leads back to page 3.
        bytes.replaceSubrange(3 * 512..<3 * 512 + 4, with: [0, 0, 0, 3])
        try directory.write(bytes, to: "source.sqlite")
        let damaged = try Connection(path: path, access: .readOnly)
        try damaged.execute("BEGIN")
        var records = TableRecords(try PageReader(damaged), root: 2)
        try records.seek(to: .min)
        #expect(throws: SQLiteError.malformed("page 2 is damaged", path: path)) { try records.next() }
    }
}

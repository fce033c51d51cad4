import Foundation
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// The comparison of indexes with their tables, held against `PRAGMA integrity_check`.
@Suite struct IndexComparisonTests {
    /// Damaged files for each database: FERRY_MUTATIONS.
    private static let mutations = TestSettings.number("FERRY_MUTATIONS", default: RandomNumbers.seeds(100).count)

    @Test(.long, arguments: UInt64(101)...112)
    func findsAllDamageThatSQLiteFinds(_ seed: UInt64) throws {
        let damaged = try DatabaseCheckTests.expectAllDamageIsFound(
            seed: seed, mutations: Self.mutations, by: Self.found, as: Self.foundBySQLite
        ) { file, random in
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                // Half of the changes are of values, which only the comparison can find.
                if Bool.random(using: &random) { file.damage(using: &random) } else { file.changeValue(using: &random) }
            }
        }
        #expect(damaged > Self.mutations / 8)
    }

    /// An index is hidden from SQLite while rows change, or says something else of itself afterwards.
    @Test(arguments: RandomNumbers.seeds(120)) func findsEntriesThatAreNotThoseOfTheRows(_ seed: Int) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: UInt64(seed))
        let path = directory.file("stale.sqlite")
        var database = IndexedRows(&random)
        database.encoding = [.utf8, .utf16LittleEndian, .utf8, .utf16BigEndian][seed % 4]
        try database.make(path, &random)
        #expect(try Self.found(path) == [], "seed \(seed): \(database.index)")
        #expect(try Self.foundBySQLite(path) == ["ok"])
        let sound = try Data(contentsOf: URL(filePath: path))
        var damaged = 0
        for round in 0..<8 {
            try sound.write(to: URL(filePath: path))
            let what = try database.makeStale(path, &random)
            if let expected = try? Self.foundBySQLite(path), expected == ["ok"] { continue }
            damaged += 1
            #expect((try? Self.found(path)) != [], "seed \(seed), round \(round): \(database.index); \(what)")
        }
        #expect(damaged > 0 || database.count < 3)
    }

    /// Real files have the same verdict.
    @Test(.long, .enabled(if: Corpus.isPresent))
    func soundFilesHaveNoFaults() throws {
        var sound = 0
        for path in Corpus.files(under: ".", where: { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }) {
            guard let file = try? DatabaseFile(path: path), file.isSQLite,
                let expected = try? Self.foundBySQLite(path)
            else { continue }
            if expected == ["ok"] { sound += 1 }
            #expect(try Self.found(path).isEmpty == (expected == ["ok"]), "\(path)")
        }
        #expect(sound > 0)
    }

    /// Two entries of a page change places.
    @Test(arguments: ["", "DESC", "COLLATE NOCASE", "COLLATE RTRIM DESC"])
    func findsEntriesThatAreNotInTheirOrder(_ order: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("order.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE T (a); CREATE INDEX I ON T (a \(order));
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000)
                SELECT CASE i % 3 WHEN 0 THEN i * 7919 % 2003 WHEN 1 THEN i / 8.0 ELSE 'Row ' || i END FROM c;
            """)
        try connection.close()
        #expect(try Self.found(path) == [])
        let sound = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var swapped = 0
        for page in 1..<sound.count / 512 {
            let start = page * 512
            let header = sound[start] == 10 ? 8 : sound[start] == 2 ? 12 : 0
            let cells = Int(sound[start + 3]) << 8 | Int(sound[start + 4])
            guard header > 0, cells > 1 else { continue }
            // The first two, the last two, and some between them.
            for cell in Set([0, cells - 2, cells / 2 - 1]) where page % 7 == 0 || header == 12 {
                var bytes = sound
                for offset in 0..<2 {
                    let place = start + header + 2 * cell + offset
                    bytes.swapAt(place, place + 2)
                }
                try Data(bytes).write(to: URL(filePath: path))
                let isFound = try Self.foundBySQLite(path) != ["ok"]
                if isFound { swapped += 1 }
                #expect(try !isFound || Self.found(path) != [], "page \(page + 1), cell \(cell)")
            }
        }
        #expect(swapped > 10)
    }

    /// What the digests cannot say is left to SQLite: a sound file is sound, a stale index is found.
    @Test(arguments: [
        ("CREATE TABLE T (a, b)", "CREATE INDEX I ON T (a) WHERE b > 3"),
        ("CREATE TABLE T (a, b)", "CREATE INDEX I ON T (a + b)"),
        ("CREATE TABLE T (b, a PRIMARY KEY) WITHOUT ROWID", "CREATE INDEX I ON T (b)"),
        ("CREATE TABLE T (a, b, c AS (a * 2))", "CREATE INDEX I ON T (c)"),
        ("CREATE TABLE T (a INTEGER, b INTEGER) STRICT", "CREATE INDEX I ON T (b)"),
        ("CREATE TABLE T (a INTEGER CHECK (a > 0), b INTEGER)", "CREATE INDEX I ON T (b)"),
        ("PRAGMA encoding = 'UTF-16le'; CREATE TABLE T (a, b)", "CREATE INDEX I ON T (b COLLATE RTRIM)"),
        ("PRAGMA encoding = 'UTF-16be'; CREATE TABLE T (a, b)", "CREATE INDEX I ON T (b COLLATE NOCASE)"),
    ])
    func whatOnlySQLiteKnowsIsLeftToIt(table: String, index: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("left.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            \(table); \(index);
            INSERT INTO T (a, b) WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300) SELECT i, i FROM c;
            """)
        try connection.close()
        #expect(try Self.found(path) == [])
        for change in ["DELETE FROM T WHERE a = 200", "UPDATE T SET a = 500, b = 500 WHERE a = 9"] {
            try Self.hide("I", of: path) { try $0.execute(change) }
            #expect(try Self.foundBySQLite(path) != ["ok"])
            #expect(try Self.found(path) != [], "\(change)")
        }
    }

    /// Rows that were written before a column was added have its default.
    @Test(arguments: ["", "DEFAULT 7", "DEFAULT 'text'", "REAL DEFAULT 7", "NOT NULL DEFAULT 7"])
    func rowsBeforeAnAddedColumnHaveItsDefault(_ column: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("added.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            CREATE TABLE T (a); INSERT INTO T VALUES (1), (2), (3); ALTER TABLE T ADD COLUMN b \(column);
            INSERT INTO T VALUES (4, 4), (5, 5.5); CREATE INDEX I ON T (b, a);
            """)
        try connection.close()
        #expect(try Self.found(path) == [])
        for change in ["UPDATE T SET b = 8 WHERE a = 2", "DELETE FROM T WHERE a = 1"] {
            try Self.hide("I", of: path) { try $0.execute(change) }
            #expect(try Self.foundBySQLite(path) != ["ok"])
            #expect(try Self.found(path) != [], "\(change)")
        }
    }

    /// Whole numbers are integers in a table's column of reals, and either in its index.
    @Test func equalNumbersAreEqual() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("numbers.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            CREATE TABLE T (a REAL, b, c NUMERIC);
            INSERT INTO T VALUES (1, 1.0, 1.0), (-0.0, -0.0, -0.0), (1e15, 1e15, 1e15), (9e18, 9e18, 9e18),
                (2.5, 2.5, 2.5), (9223372036854775807, 9223372036854775807, 9223372036854775807),
                (281474976710656, 281474976710656, 281474976710656), (1e300, 1e300, 1e300), (NULL, NULL, NULL);
            CREATE INDEX I ON T (a); CREATE INDEX J ON T (b DESC, a); CREATE INDEX K ON T (c);
            INSERT INTO T SELECT a + 1, b + 1, c + 1 FROM T;
            """)
        try connection.close()
        #expect(try Self.foundBySQLite(path) == ["ok"])
        #expect(try Self.found(path) == [])
    }

    /// Records that go on behind their page are compared too, in whatever page of the tree they lie; the longest ones are
    /// left to SQLite.
    @Test(arguments: [600, 5000, 60_000, 66_000, 200_000])
    func longEntriesAreCompared(_ length: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("long.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE T (a, b); CREATE UNIQUE INDEX I ON T (a);
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40)
                SELECT hex(zeroblob(\(length / 2))) || i, i FROM c;
            """)
        try connection.close()
        #expect(try Self.found(path) == [])
        let sound = try Data(contentsOf: URL(filePath: path))
        for row in [1, 20, 40] {
            for change in ["UPDATE T SET a = a || 'x' WHERE b = \(row)", "DELETE FROM T WHERE b = \(row)"] {
                try sound.write(to: URL(filePath: path))
                try Self.hide("I", of: path) { try $0.execute(change) }
                #expect(try Self.foundBySQLite(path) != ["ok"])
                #expect(try Self.found(path) != [], "\(change)")
            }
        }
    }

    /// A value that is missing at the end of a record is NULL.
    @Test func valuesThatAreMissingAreNull() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("null.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE T (a REAL NOT NULL); INSERT INTO T VALUES (1.5), (2.5)")
        try connection.close()
        #expect(try Self.found(path) == [])
        try Self.rewrite(path, "UPDATE sqlite_schema SET sql = 'CREATE TABLE T (a REAL NOT NULL, b NOT NULL)'")
        #expect(try Self.foundBySQLite(path) != ["ok"])
        #expect(try Self.found(path) == ["table T, page 2, cell 0: row 1: b is NULL"])

        try Self.rewrite(path, "UPDATE sqlite_schema SET sql = 'CREATE TABLE T (a REAL, b NOT NULL DEFAULT 1)'")
        #expect(try Self.foundBySQLite(path) == ["ok"])
        #expect(try Self.found(path) == [])
    }

    @Test func aFileSaysWhatIsWrongWithItsIndexes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("told.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE T (a, b); CREATE INDEX I ON T (a); INSERT INTO T VALUES (1, 1), (1, 2)")
        try connection.close()
        let sound = try Data(contentsOf: URL(filePath: path))
        try Self.rewrite(path, "UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX I ON T (a)' WHERE name = 'I'")
        #expect(try Self.found(path) == ["index I, page 3, cell 1: its values are there twice"])
        // Without the comparison that is not asked.
        #expect(try DatabaseCheck(Connection(path: path, access: .readOnly)).faults() == [])
        try sound.write(to: URL(filePath: path))
        try Self.rewrite(path, "UPDATE sqlite_schema SET sql = 'CREATE INDEX I ON T (b)' WHERE name = 'I'")
        #expect(try Self.found(path) == ["index I has other entries than those of the rows of its table"])
        try sound.write(to: URL(filePath: path))
        try Self.rewrite(path, "UPDATE sqlite_schema SET sql = 'CREATE INDEX I ON T (a, b)' WHERE name = 'I'")
        #expect(try Self.found(path) == ["index I, page 3, cell 0: it has 2 values, the index 3"])
    }

    // MARK: - Support

    private static func found(_ path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        func faults(_ sharedPages: Int) throws -> [String] {
            try DatabaseCheck(
                connection, most: 5, comparesIndexes: true, limits: DatabaseCheckTests.limits(sharedPages: sharedPages)
            ).faults()
        }
        let alone = try faults(.max)
        // Two threads find the same.
        let together = try faults(1)
        #expect(together == alone)
        return alone
    }

    private static func foundBySQLite(_ path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows("PRAGMA integrity_check").map { $0[0].string ?? "" }
    }

    fileprivate static func rewrite(_ path: String, _ statement: String) throws {
        let connection = try Connection(path: path, access: .readWrite)
        connection.setDefensive(false)
        try connection.execute("PRAGMA writable_schema = ON; \(statement)")
        try connection.close()
    }

    /// Changes rows while SQLite does not know of an index.
    fileprivate static func hide(_ index: String, of path: String, _ change: (Connection) throws -> Void) throws {
        let reader = try Connection(path: path, access: .readOnly)
        let row = try #require(
            try reader.rows("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = '\(index)'")
                .first)
        try reader.close()
        try rewrite(path, "DELETE FROM sqlite_schema WHERE name = '\(index)'")
        let writer = try Connection(path: path, access: .readWrite)
        try change(writer)
        try writer.close()
        let values = row.map { $0.literal }.joined(separator: ", ")
        try rewrite(path, "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (\(values))")
    }
}

/// A table with an index, both made up.
private struct IndexedRows {
    private let pageSize: Int
    var encoding = DatabaseFile.TextEncoding.utf8
    private let columns: [String]
    let index: String
    /// Rows of the table.
    let count: Int
    private let variety: Int

    private static let types = ["", "INTEGER", "REAL", "TEXT", "NUMERIC", "BLOB", "TIMESTAMP", "VARCHAR(255)"]
    private static let orders = ["", "", "", " DESC", " COLLATE NOCASE", " COLLATE RTRIM", " COLLATE NOCASE DESC"]

    init(_ random: inout RandomNumbers) {
        pageSize = [512, 512, 1024, 4096][Int.random(in: 0..<4, using: &random)]
        columns = (0..<3).map { _ in Self.types.randomElement(using: &random) ?? "" }
        index = Self.index(isUnique: false, &random)
        count = [1, 2, 5, 40, 300, 1500][Int.random(in: 0..<6, using: &random)]
        variety = [3, 50, 100_000][Int.random(in: 0..<3, using: &random)]
    }

    private static func index(isUnique: Bool, _ random: inout RandomNumbers) -> String {
        var names = ["id", "a", "b", "c", "a", "b", "c"]
        names.shuffle(using: &random)
        let keys = names.prefix(Int.random(in: 1...3, using: &random)).map {
            $0 + (orders.randomElement(using: &random) ?? "")
        }
        return "CREATE \(isUnique ? "UNIQUE " : "")INDEX I ON T (\(keys.joined(separator: ", ")))"
    }

    func make(_ path: String, _ random: inout RandomNumbers) throws {
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding.name)'; PRAGMA journal_mode = OFF; BEGIN;
            CREATE TABLE T (id INTEGER PRIMARY KEY, a \(columns[0]), b \(columns[1]), c \(columns[2]));
            CREATE TABLE Other (x PRIMARY KEY, y UNIQUE); INSERT INTO Other VALUES (1, 'one'), (2, NULL), (3, NULL);
            """)
        let isIndexedFirst = Bool.random(using: &random)
        if isIndexedFirst { try connection.execute(index) }
        for row in 1...count { try connection.execute("INSERT INTO T VALUES (\(row * 3), \(values(&random)))") }
        if !isIndexedFirst { try connection.execute(index) }
        try connection.execute("COMMIT")
        try connection.close()
    }

    private func values(_ random: inout RandomNumbers) -> String {
        (0..<3).map { _ in value(&random) }.joined(separator: ", ")
    }

    private func value(_ random: inout RandomNumbers) -> String {
        let number = Int.random(in: -variety...variety, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1: return "NULL"
        case 2...5: return "\(number)"
        case 6...7: return "\(Double(number) / 4)"
        case 8:
            return ["9223372036854775807", "-9223372036854775808", "1e300", "-0.0", "4503599627370497.0"]
                .randomElement(using: &random) ?? ""
        case 9...11: return "'Name \(number)'"
        case 12: return "'name \(number)'"
        case 13: return "'NAME \(number)  '"
        case 14: return "'\(number)'"
        case 15: return "CAST('a' || char(0) || '\(number)' AS TEXT)"
        case 16: return "x'00ff'"
        case 17: return "zeroblob(\(abs(number) % 40))"
        case 18: return "hex(zeroblob(\(abs(number) % 700))) || '\(number % 5)'"
        default: return "'\(String(repeating: "long ", count: abs(number) % 30))'"
        }
    }

    /// Returns what was done.
    func makeStale(_ path: String, _ random: inout RandomNumbers) throws -> String {
        guard Int.random(in: 0..<3, using: &random) > 0 else {
            let other = Self.index(isUnique: Bool.random(using: &random), &random)
            let same = index.replacing("CREATE INDEX", with: "CREATE UNIQUE INDEX")
            let sql = Bool.random(using: &random) ? same : other
            try IndexComparisonTests.rewrite(path, "UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = 'I'")
            return sql
        }
        let row = Int.random(in: 1...count, using: &random) * 3
        let column = ["a", "b", "c"].randomElement(using: &random) ?? ""
        let changes = [
            "DELETE FROM T WHERE id = \(row)", "INSERT INTO T VALUES (\(row + 1), \(values(&random)))",
            "UPDATE T SET id = id + 1 WHERE id = \(row)",
            "UPDATE T SET \(column) = \(value(&random)) WHERE id = \(row)",
            "UPDATE T SET \(column) = \(value(&random)) WHERE id = \(row)",
        ]
        let change = changes.randomElement(using: &random) ?? ""
        try IndexComparisonTests.hide("I", of: path) { try $0.execute(change) }
        return change
    }
}

extension DamagedFile {
    /// Changes a byte of a cell, mostly of a value.
    fileprivate mutating func changeValue(using random: inout RandomNumbers) {
        let page = Int.random(in: 0..<bytes.count / pageSize, using: &random)
        let start = page * pageSize + (page == 0 ? 100 : 0)
        let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        let header = bytes[start] < 8 ? 12 : 8
        guard cells > 0, 2 * cells + header < pageSize else { return }
        let pointer = start + header + 2 * Int.random(in: 0..<cells, using: &random)
        guard pointer + 1 < bytes.count else { return }
        let cell = page * pageSize + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
        let place = cell + Int.random(in: 2..<24, using: &random)
        guard place < (page + 1) * pageSize else { return }
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
}

import Foundation
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing
import Threading

/// The check of a file's pages, held against SQLite's own.
@Suite struct DatabaseCheckTests {
    /// Damaged files for each database: FERRY_MUTATIONS.
    private static let mutations = TestSettings.number("FERRY_MUTATIONS", default: RandomNumbers.seeds(150).count)

    @Test(.long, arguments: UInt64(1)...12)
    func findsAllDamageThatSQLiteFinds(_ seed: UInt64) throws {
        let damaged = try Self.expectAllDamageIsFound(
            seed: seed, mutations: Self.mutations, by: Self.found, as: Self.foundBySQLite
        ) { file, random in
            for _ in 0..<Int.random(in: 1...3, using: &random) { file.damage(using: &random) }
        }
        // Otherwise there was hardly anything to find: a part of the bytes matters to nobody.
        #expect(damaged > Self.mutations / 8)
    }

    /// Damages copies of a database: what SQLite finds something wrong with, a check does.
    ///
    /// - Parameters:
    ///   - found: the faults that the check tells.
    ///   - expected: what SQLite tells; "ok" for a sound file.
    ///   - damage: what is done to a copy.
    /// - Returns: how many of the copies are damaged.
    static func expectAllDamageIsFound(
        seed: UInt64, mutations: Int, by found: (String) throws -> [String], as expected: (String) throws -> [String],
        _ damage: (inout DamagedFile, inout RandomNumbers) -> Void
    ) throws -> Int {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: seed)
        let path = directory.file("database.sqlite")
        try make(path, seed: seed, &random)
        #expect(try found(path) == [], "seed \(seed)")
        #expect(try expected(path) == ["ok"])

        let sound = try DamagedFile(path)
        var damaged = 0
        for index in 0..<mutations {
            var file = sound
            damage(&file, &random)
            let copy = directory.file("damaged.sqlite")
            try file.write(to: copy)
            guard let answer = try? expected(copy), answer == ["ok"] else {
                damaged += 1
                // What cannot be opened cannot be checked: an error is an answer too.
                let faults = (try? found(copy)) ?? ["an error"]
                #expect(faults != [], "seed \(seed), mutation \(index)")
                continue
            }
            // It may look closer than SQLite, but must not end the process.
            _ = try? found(copy)
        }
        return damaged
    }

    /// Real files that SQLite finds sound are sound.
    @Test(.long, .enabled(if: Corpus.isPresent))
    func soundFilesHaveNoFaults() throws {
        var sound = 0
        for path in Corpus.files(under: ".", where: { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }) {
            guard let file = try? DatabaseFile(path: path), file.isSQLite,
                let expected = try? Self.foundBySQLite(path), expected == ["ok"]
            else { continue }
            sound += 1
            #expect(try Self.found(path) == [], "\(path)")
        }
        #expect(sound > 0)
    }

    @Test func readsPagesOfTheLog() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("logged.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        try writer.execute("CREATE TABLE T (a INTEGER NOT NULL, b VARCHAR)")
        for row in 0..<500 { try writer.execute("INSERT INTO T VALUES (\(row), 'row \(row)')") }
        #expect(try DatabaseFile(path: path).writeAheadLogSize ?? 0 > 100_000)
        #expect(try DatabaseCheck(Connection(path: path, access: .readOnly)).faults() == [])

        // What is only in the log is checked too: another table has the pages of the first.
        try writer.execute("CREATE TABLE U (a)")
        try Self.rewriteSchema(path, "UPDATE sqlite_schema SET rootpage = 2")
        let faults = try DatabaseCheck(Connection(path: path, access: .readOnly)).faults()
        #expect(faults.first == "table U: page 2 is used twice")
    }

    /// The end of a file may be in the middle of a page, whose number may be in the header or not.
    @Test func aPageOfWhichAPartIsLeftIsAPage() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("part.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute(
            "PRAGMA page_size = 512; CREATE TABLE T (a); INSERT INTO T VALUES (1), (zeroblob(1500)); CREATE TABLE U (a)"
        )
        try writer.close()
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        var damaged = 0
        for isCounted in [true, false] {
            for bytes in [-512, -300, -1, 0, 1, 300, 512, 700] {
                var file = sound.prefix(sound.count + bytes) + Data(count: max(0, bytes))
                if !isCounted { file[95] ^= 1 }
                try file.write(to: URL(fileURLWithPath: path))
                let expected = (try? Self.foundBySQLite(path)) ?? ["an error"]
                if expected != ["ok"] { damaged += 1 }
                let faults = (try? Self.found(path)) ?? ["an error"]
                #expect((faults == []) == (expected == ["ok"]), "\(bytes), \(isCounted): \(expected); \(faults)")
            }
        }
        #expect(damaged > 3)
    }

    /// More pages of the pointer map than are kept in memory, which overflowing records lead to again and again.
    @Test func everyPageOfALongPointerMapIsCompared() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("mapped.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute(
            """
            PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL; CREATE TABLE T (a);
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 900)
                SELECT zeroblob(2000 + i % 7 * 300) FROM c;
            """)
        try writer.close()
        #expect(try Self.found(path) == [])
        var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        // A map page is followed by the 102 pages that it is about; there are more than the 16 that are kept.
        let mapPages = Array(stride(from: 2, through: bytes.count / 512, by: 103))
        try #require(mapPages.count > 32)
        for page in [mapPages[0], mapPages[20], mapPages[mapPages.count - 2]] {
            let entry = (page - 1) * 512 + 5 * 40
            bytes[entry + 4] ^= 1
            try directory.write(bytes, to: "damaged.sqlite")
            let found = try Self.found(directory.file("damaged.sqlite"))
            #expect(found.count == 1 && found[0].contains("pointer map has"), "page \(page): \(found)")
            bytes[entry + 4] ^= 1
        }
    }

    @Test func rowsOfTablesWithRulesAreLeftToSQLite() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("rules.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            CREATE TABLE Checked (a INTEGER CHECK (a > 0));
            CREATE TABLE Strict (a INTEGER) STRICT;
            CREATE TABLE Keyed (a TEXT PRIMARY KEY, b) WITHOUT ROWID;
            INSERT INTO Checked VALUES (1); INSERT INTO Strict VALUES (1); INSERT INTO Keyed VALUES ('k', 1);
            """)
        #expect(try DatabaseCheck(connection).faults() == [])
        try connection.execute("PRAGMA ignore_check_constraints = ON; INSERT INTO Checked VALUES (-1)")
        try connection.execute("PRAGMA ignore_check_constraints = OFF")
        #expect(try DatabaseCheck(connection).faults().contains { $0.contains("Checked") })
    }

    @Test func valuesKeepToTheirColumns() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("values.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE T (a INTEGER NOT NULL, b VARCHAR, c TIMESTAMP)")
        try connection.execute("INSERT INTO T VALUES (7, 'text', 'soon'), (8, NULL, 1.5)")
        #expect(try DatabaseCheck(connection).faults() == [])
        // The schema says something else of the same rows now.
        try connection.close()
        try Self.rewriteSchema(
            path, "UPDATE sqlite_schema SET sql = 'CREATE TABLE T (a VARCHAR, b VARCHAR NOT NULL, c TIMESTAMP)'")
        let changed = try Connection(path: path, access: .readOnly)
        let faults = try DatabaseCheck(changed).faults()
        #expect(faults.count == 1 && faults[0].contains("row 1: a has a number, but the column stores text"))
    }

    /// Records of more values than fit into a word, of which none is like the one before: what each changed byte of the
    /// leaves means to SQLite, and to a look at each cell.
    @Test(.long, arguments: [512, 1024, 4096]) func everyByteOfALeafCounts(pageSize: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("wide.sqlite")
        let writer = try Connection(path: path, access: .create)
        let types = ["INTEGER", "VARCHAR", "TIMESTAMP NOT NULL", "FLOAT", "BLOB", "VARCHAR NOT NULL", "DECIMAL"]
        let columns = (0..<19).map { "c\($0) \(types[$0 % types.count])" }.joined(separator: ", ")
        // Integers of each length, reals, texts of one and of several bytes, and some that need two for their type.
        let values = (0..<19).map { column in
            switch types[column % types.count].prefix(4) {
            case "VARC":
                "substr('a text of the usual length that is not so long, but for some', 1, i * \(column + 3) % 64)"
            case "BLOB": "CASE i % 4 WHEN 0 THEN NULL ELSE randomblob(i % \(column + 2)) END"
            default:
                "CASE (i + \(column)) % 5 WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN -(1 << (i * 7 + \(column)) % 60) ELSE i / 8.0 END"
            }
        }
        try writer.execute(
            """
            PRAGMA page_size = \(pageSize); CREATE TABLE T (\(columns)); CREATE INDEX I ON T (c1, c0);
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60)
                SELECT \(values.joined(separator: ", ")) FROM c;
            DELETE FROM T WHERE rowid % 11 = 0; UPDATE T SET c1 = 'changed' WHERE rowid % 13 = 0;
            """)
        try writer.close()
        #expect(try Self.found(path) == [])
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let places = sound.indices.filter { [10, 13].contains(sound[$0 / pageSize * pageSize]) }
        var random = RandomNumbers(seed: UInt64(pageSize))
        // Few changes of one byte damage a page, so more of them are needed.
        let mutations = TestSettings.number("FERRY_MUTATIONS", default: 150)
        var damaged = 0
        for _ in 0..<mutations * 4 {
            var bytes = sound
            let place = try #require(places.randomElement(using: &random))
            bytes[place] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : bytes[place] ^ 1
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let faults = try Self.found(path)
            let isSound = (try? Self.foundBySQLite(path)) == ["ok"]
            if !isSound {
                damaged += 1
                #expect(faults != [], "byte \(place) is \(bytes[place]) instead of \(sound[place])")
            }
        }
        #expect(damaged > mutations / 4)
    }

    @Test func onlyAFewFaultsAreTold() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("many.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("CREATE TABLE A (a); CREATE TABLE B (a); CREATE TABLE C (a)")
        try connection.close()
        try Self.rewriteSchema(path, "UPDATE sqlite_schema SET rootpage = 2")
        let damaged = try Connection(path: path, access: .readOnly)
        #expect(try DatabaseCheck(damaged, most: 1).faults().count == 1)
        #expect(try DatabaseCheck(damaged, most: 5).faults().count == 2)
    }

    @Test func endsWhereItIsAskedTo() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("large.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            "PRAGMA page_size = 512; CREATE TABLE T (a); INSERT INTO T "
                + "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT zeroblob(400) FROM n")
        #expect(throws: SQLiteError.interrupted(path: path)) {
            try DatabaseCheck(connection, isCancelled: { true }).faults()
        }
        #expect(!connection.isInTransaction)
    }

    // MARK: - Support

    /// Changes the schema's own table, which Ferry's connections refuse.
    private static func rewriteSchema(_ path: String, _ statement: String) throws {
        let result = try ToolProcess.run(
            "/usr/bin/env",
            ["sqlite3", path, "PRAGMA wal_autocheckpoint = 0; PRAGMA writable_schema = ON; \(statement);"])
        #expect(result.status == 0)
    }

    private static func found(_ path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        let faults = try DatabaseCheck(connection, most: 5, limits: limits(sharedPages: .max)).faults()
        // Two threads find the same.
        #expect(try DatabaseCheck(connection, most: 5, limits: limits(sharedPages: 1)).faults() == faults)
        // So does one that reads each page by itself, and one that reads a few together.
        for runBytes in [0, 3 << 9] {
            var limits = Self.limits(sharedPages: .max)
            limits.runBytes = runBytes
            #expect(try DatabaseCheck(connection, most: 5, limits: limits).faults() == faults)
        }
        // So does one that looks at each cell.
        var limits = Self.limits(sharedPages: .max)
        limits.takesLeavesAtOnce = false
        #expect(try DatabaseCheck(connection, most: 5, limits: limits).faults() == faults)
        return faults
    }

    static func limits(
        sharedPages: Int, pagesPerQuestion: Int = 2, patience: Int = 1
    ) -> DatabaseCheck.Limits {
        var limits = DatabaseCheck.Limits()
        (limits.sharedPages, limits.pagesPerQuestion, limits.patience) = (sharedPages, pagesPerQuestion, patience)
        return limits
    }

    /// One thread has almost all pages: the other one waits for it, a moment at a time, and asks meanwhile.
    @Test(arguments: [0, 1, 2]) func aThreadThatWaitsForTheOtherAsksWhetherToGoOn(patience: Int) throws {
        let directory = try TemporaryDirectory()
        func database(_ name: String, bytes: Int) throws -> Connection {
            let connection = try Connection(path: directory.file(name), access: .create)
            let rows = "WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40) SELECT zeroblob(90) FROM c"
            try connection.execute(
                "PRAGMA page_size = 512; CREATE TABLE T (a); INSERT INTO T \(rows); "
                    + "INSERT INTO T VALUES (zeroblob(\(bytes))); INSERT INTO T \(rows)")
            return connection
        }
        let (large, small) = (
            try database("large.sqlite", bytes: 24 << 20), try database("small.sqlite", bytes: 2 << 20)
        )
        let limits = Self.limits(sharedPages: 1, pagesPerQuestion: 1, patience: patience)
        var most = 0
        for _ in 0..<20 where most < 16 {
            var questions = 0
            let check = DatabaseCheck(large, most: 5, limits: limits) {
                questions += 1
                // The other thread takes the long row while this one is at something else.
                if questions == 1 {
                    _ = try? DatabaseCheck(small, most: 5, limits: Self.limits(sharedPages: .max)).faults()
                }
                return false
            }
            #expect(try check.faults() == [])
            // Many are for pages where this thread has the long row all the same.
            if questions < 1000 { most = max(most, questions) }
        }
        #expect(most >= 16)
    }

    /// A check ends at the first question that is answered so, and asks as often as it is told to.
    @Test(arguments: [1, 2, 3, 7, 256], [1, Int.max])
    func aCheckAsksAfterSoManyPagesWhetherToGoOn(pagesPerQuestion: Int, sharedPages: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("asked.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE T (a);
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 4000) SELECT zeroblob(90) FROM c;
            """)
        let pages = Int(try #require(try writer.value("PRAGMA page_count").integer))
        let limits = Self.limits(sharedPages: sharedPages, pagesPerQuestion: pagesPerQuestion)
        var questions = 0
        let check = DatabaseCheck(writer, most: 5, limits: limits) {
            questions += 1
            return false
        }
        #expect(try check.faults() == [])
        if sharedPages == .max { #expect(questions == pages / pagesPerQuestion) }
        for last in [1, 2, 3] where sharedPages == .max && last * pagesPerQuestion <= pages {
            var asked = 0
            let check = DatabaseCheck(writer, most: 5, limits: limits) {
                asked += 1
                return asked == last
            }
            let error = #expect(throws: SQLiteError.self) { try check.faults() }
            #expect(error?.isInterrupted == true && asked == last)
        }
    }

    /// What one of the threads has reached counts for both.
    @Test(arguments: [512, 4096])
    func pagesThatTwoThreadsReachAreUsedTwice(_ pageSize: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shared.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute(
            """
            PRAGMA page_size = \(pageSize); CREATE TABLE T (a INTEGER NOT NULL, b VARCHAR); CREATE INDEX I ON T (b);
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000)
                SELECT i, 'row ' || i FROM c;
            """)
        let root = try #require(
            try writer.value("SELECT rootpage FROM sqlite_schema WHERE name = 'T'").integer)
        try writer.close()
        #expect(try Self.found(path) == [])

        // The first child of the root also becomes its second.
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let page = (Int(root) - 1) * pageSize
        #expect(bytes[page] == 5, "the root is an interior page")
        func cell(_ index: Int) -> Int {
            page + Int(bytes[page + 12 + 2 * index]) << 8 + Int(bytes[page + 13 + 2 * index])
        }
        for offset in 0..<4 { bytes[cell(1) + offset] = bytes[cell(0) + offset] }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        for _ in 0..<20 { #expect(try Self.found(path).contains { $0.hasSuffix("is used twice") }) }
    }

    @Test func whereNoThreadStartsOneChecksAll() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("alone.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute("CREATE TABLE T (a); INSERT INTO T VALUES (1), (2)")
        let faults = try WorkerThread.$isRefused.withValue(true) { try Self.found(path) }
        #expect(faults == [])
    }

    @Test(arguments: [1, Int.max]) func aCheckThatIsCancelledIsInterrupted(_ sharedPages: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("long.sqlite")
        let writer = try Connection(path: path, access: .create)
        try writer.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE T (a);
            INSERT INTO T WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) SELECT zeroblob(90) FROM c;
            """)
        let check = DatabaseCheck(writer, most: 5, limits: Self.limits(sharedPages: sharedPages), isCancelled: { true })
        let error = #expect(throws: SQLiteError.self) { try check.faults() }
        #expect(error?.isInterrupted == true)
    }

    private static func foundBySQLite(_ path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows("PRAGMA quick_check").map { $0[0].string ?? "" }
    }

    /// A database that SQLite wrote, changed and deleted in: pages with gaps, free blocks and overflow, and a freelist.
    static func make(_ path: String, seed: UInt64, _ random: inout RandomNumbers) throws {
        var database = RandomDatabase(seed: seed, budget: 60_000)
        var made = database.make()
        made.encoding = [.utf8, .utf16LittleEndian, .utf8, .utf16BigEndian][Int(seed % 4)]
        try made.write(path)
        let connection = try Connection(path: path, access: .readWrite)
        for (table, _) in made.rows {
            let name = SQLiteIdentifier.quoted(table)
            try connection.execute("DELETE FROM \(name) WHERE rowid % 3 = \(seed % 3)")
            try? connection.execute("UPDATE \(name) SET c0 = zeroblob(abs(random()) % 300) WHERE rowid % 7 = 1")
        }
        try connection.close()
    }
}

/// The bytes of a database file, to be damaged.
struct DamagedFile {
    var bytes: [UInt8]
    let pageSize: Int

    init(_ path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65536 : size
    }

    /// Changes a byte or a number, mostly where the structure of a page is described.
    mutating func damage(using random: inout RandomNumbers) {
        let page = Int.random(in: 0..<bytes.count / pageSize, using: &random)
        let start = page * pageSize + (page == 0 ? 100 : 0)
        let end = (page + 1) * pageSize
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            // The header of a b-tree page, a map page or a page of the freelist, and what follows.
            bytes[start + Int.random(in: 0..<24, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 4, 5: bytes[Int.random(in: start..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 6: bytes[Int.random(in: start..<end, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 7:
            let other = Int.random(in: 0..<bytes.count / pageSize, using: &random)
            guard page > 0, other > 0 else { return }
            for offset in 0..<pageSize { bytes.swapAt(page * pageSize + offset, other * pageSize + offset) }
        case 8:
            let length = min(end - start, Int.random(in: 1...64, using: &random))
            let place = Int.random(in: start...end - length, using: &random)
            for offset in place..<place + length { bytes[offset] = 0 }
        default: bytes[Int.random(in: 28..<72, using: &random)] = UInt8.random(in: 0...8, using: &random)
        }
    }

    func write(to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }
}

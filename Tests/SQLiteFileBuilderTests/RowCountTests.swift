import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import SQLiteFileBuilder

/// Rows are counted as SQLite counts them, whatever the pages contain.
@Suite struct RowCountTests {
    @Test(arguments: [512, 1024, 4096, 65536], [0, 1, 3, 500, 6000])
    func rowsAreCountedAsBySQLite(pageSize: Int, count: Int) throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("rows.sqlite"), access: .create)
        defer { try? connection.close() }
        var random = RandomNumbers(seed: UInt64(pageSize * 10 + count))
        try connection.execute(
            "PRAGMA page_size = \(pageSize); CREATE TABLE \"a b\" (k INTEGER PRIMARY KEY, t, e INTEGER, r REAL, late INTEGER); "
                + "CREATE TABLE other (e INTEGER); BEGIN")
        let insert = try connection.prepare("INSERT INTO \"a b\" (k, t, e, r) VALUES (?, ?, ?, ?)")
        var key: Int64 = -5
        for row in 0..<count {
            key += Int64.random(in: 1...3, using: &random)
            let texts: [SQLiteValue] = [
                .null, .integer(0), .integer(1), .real(0.5), .integer(1 << 40),
                .text([UInt8](repeating: 65, count: row % 40)), .blob([UInt8](repeating: 1, count: row % 70)),
            ]
            let numbers: [SQLiteValue] = [
                .integer(1), .integer(1), .integer(0), .integer(2), .integer(-1), .integer(300), .null, .real(1.5),
                .text([120]),
            ]
            try insert.bind(.integer(key), at: 1)
            try insert.bind(texts.randomElement(using: &random) ?? .null, at: 2)
            try insert.bind(numbers.randomElement(using: &random) ?? .null, at: 3)
            try insert.bind(.real(Double(row % 3)), at: 4)
            try insert.run()
        }
        try connection.execute("COMMIT; ALTER TABLE \"a b\" ADD COLUMN later INTEGER")
        for number: Int64 in [1, 0, 2, -1, 300, 7] {
            for column in ["e", "r", "k", "late", "later"] {
                let wanted = try connection.value("SELECT count(*) FROM \"a b\" WHERE \(column) = \(number)").integer
                #expect(try RowCount.rows(of: "a b", having: (column, number), on: connection) == wanted)
            }
        }
        #expect(try RowCount.rows(of: "a b", on: connection) == Int64(count))
        #expect(try RowCount.rows(of: "other", on: connection) == 0)
        #expect(!connection.isInTransaction)
        // The pages of the file do not have these rows yet.
        try connection.execute("BEGIN; DELETE FROM \"a b\" WHERE e = 1")
        #expect(try RowCount.rows(of: "a b", having: ("e", 1), on: connection) == 0)
        #expect(connection.isInTransaction)
        try connection.execute("ROLLBACK")
    }

    @Test func valuesOnOtherPagesAreLeftToSQLite() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("rows.sqlite"), access: .create)
        defer { try? connection.close() }
        try connection.execute(
            "PRAGMA page_size = 512; CREATE TABLE t (k INTEGER PRIMARY KEY, long, e INTEGER); "
                + "INSERT INTO t VALUES (1, zeroblob(5000), 1), (2, zeroblob(10), 1), (3, zeroblob(400), 2)")
        #expect(try RowCount.rows(of: "t", having: ("e", 1), on: connection) == 2)
        #expect(throws: SQLiteError.self) { try RowCount.rows(of: "missing", on: connection) }
    }

    @Test func damagedPagesAreReportedAsBySQLite() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("rows.sqlite")
        do {
            let connection = try Connection(path: path, access: .create)
            defer { try? connection.close() }
            try connection.execute(
                "PRAGMA page_size = 512; CREATE TABLE t (k INTEGER PRIMARY KEY, e INTEGER); WITH RECURSIVE i(n) AS "
                    + "(SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 2000) INSERT INTO t SELECT n, n % 3 FROM i")
        }
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var refused = 0
        for seed in RandomNumbers.seeds(200) {
            var random = RandomNumbers(seed: UInt64(seed))
            var bytes = sound
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // The schema stays, and what follows is damaged where pages begin as often as elsewhere.
                let page = Int.random(in: 1..<bytes.count / 512, using: &random) * 512
                let place = page + Int.random(in: 0..<(Bool.random(using: &random) ? 12 : 512), using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            try directory.write(bytes, to: "damaged.sqlite")
            let connection = try Connection(path: directory.file("damaged.sqlite"), access: .readOnly)
            defer { try? connection.close() }
            for condition in ["", " WHERE e = 1"] {
                let wanted = try? connection.value("SELECT count(*) FROM t\(condition)").integer
                let found = try? RowCount.rows(of: "t", having: condition.isEmpty ? nil : ("e", 1), on: connection)
                if wanted == nil { refused += 1 }
                // What SQLite refuses may be in a part of a page that is not needed.
                if let wanted { #expect(found == wanted, "seed \(seed)\(condition)") }
            }
        }
        #expect(refused > 0)
    }

    @Test func countingEndsWhenItIsCancelled() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("rows.sqlite"), access: .create)
        defer { try? connection.close() }
        try connection.execute(
            "PRAGMA page_size = 512; CREATE TABLE t (e INTEGER); WITH RECURSIVE i(n) AS "
                + "(SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 50000) INSERT INTO t SELECT 1 FROM i")
        // Only SQLite's count takes so many instructions, which follows if the other one is cancelled.
        connection.onProgress(everyInstructions: 100_000) { true }
        #expect(throws: SQLiteError.self) { try RowCount.rows(of: "t", having: ("e", 1), on: connection) }
        connection.onProgress(everyInstructions: 0, nil)
        #expect(try RowCount.rows(of: "t", having: ("e", 1), on: connection) == 50000)
    }
}

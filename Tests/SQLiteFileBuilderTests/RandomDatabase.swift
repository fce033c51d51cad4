import SQLiteAccess
import SQLiteFileBuilder
import TestSupport

/// Makes up schemas and rows.
struct RandomDatabase {
    private var random: RandomNumbers
    /// Bytes that the values of a database may have together, about.
    private var budget: Int

    init(seed: UInt64, budget: Int) {
        random = RandomNumbers(seed: seed)
        self.budget = budget
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
    private mutating func one<T>(of list: [T]) -> T { list[number(0...list.count - 1)] }

    private static let types = [
        "", "INTEGER", "INT", "BIGINT", "VARCHAR", "VARCHAR(255)", "TEXT", "BLOB", "REAL", "FLOAT", "DOUBLE",
        "TIMESTAMP",
        "DECIMAL", "NUMERIC", "DATE", "BOOLEAN", "FLOATING POINT",
    ]

    mutating func make() -> BothWriters {
        let pageSize = one(of: [512, 1024, 4096, 4096, 4096, 8192, 65536])
        let tableCount = chance(10) ? number(10...60) : number(1...4)
        var statements: [String] = []
        var rows: [(table: String, rows: [BothWriters.Row])] = []
        for position in 0..<tableCount {
            let table = position == 0 && chance(20) ? "a \"quoted\" name" : "T\(position)"
            let (sql, content) = makeTable(table)
            statements += sql
            rows.append((table, content))
            if chance(5) { statements.append("CREATE VIEW V\(position) AS SELECT 1") }
            if chance(5) {
                statements.append(
                    "CREATE TRIGGER G\(position) AFTER DELETE ON \(SQLiteIdentifier.quoted(table)) BEGIN SELECT 1; END"
                )
            }
        }
        // Some have more schema than one page.
        if chance(10) {
            statements.append("CREATE TABLE Long (\((0..<900).map { "column_\($0)" }.joined(separator: ", ")))")
        }
        return BothWriters(
            pageSize: pageSize, vacuum: one(of: [0, 1, 2, 2]), statements: statements, rows: rows,
            limits: BuildLimits(sortMemory: one(of: [0, 2000, 100_000, 12 << 20])))
    }

    private mutating func makeTable(_ table: String) -> (sql: [String], rows: [BothWriters.Row]) {
        let quoted = SQLiteIdentifier.quoted(table)
        let width = chance(4) ? number(200...2000) : number(1...12)
        let hasAlias = chance(60)
        let isJoin = !hasAlias && width >= 2 && chance(40)
        var types = (0..<width).map { _ in one(of: Self.types) }
        var columns = (0..<width).map { "c\($0) \(types[$0])" }
        if hasAlias {
            let place = chance(70) ? 0 : number(0...width - 1)
            (types[place], columns[place]) = ("INTEGER", "c\(place) INTEGER PRIMARY KEY")
        }
        if isJoin {
            (types[0], types[1]) = ("INTEGER", "INTEGER")
            columns = (0..<width).map { "c\($0) \(types[$0])" } + ["PRIMARY KEY (c0, c1)"]
        }
        var sql = ["CREATE TABLE \(quoted) (\(columns.joined(separator: ", ")))"]
        for index in 0..<(chance(70) ? number(0...3) : 0) {
            let keys = (0..<number(1...3)).map { _ in "c\(number(0...width - 1))" + (chance(30) ? " DESC" : "") }
            sql.append(
                "CREATE INDEX \"I\(index) of \(table.filter { $0 != "\"" })\" ON \(quoted)"
                    + " (\(keys.joined(separator: ", ")))"
            )
        }
        return (sql, makeRows(width, isJoin: isJoin))
    }

    private mutating func makeRows(_ width: Int, isJoin: Bool) -> [BothWriters.Row] {
        let wanted = one(of: [0, 1, 2, 10, 100, 100, 1000, 3000])
        var rows: [BothWriters.Row] = []
        let starts: [Int64] = [.min, -1000, -2, 1 << 20, 1 << 40, .max - 4000]
        var id = chance(80) ? 1 : one(of: starts)
        let step = chance(70) ? 1 : number(1...100_000)
        let variety = one(of: [2, 10, 1000, 1_000_000])
        // Columns of nothing but integers and NULL, some of them up to a row, are sorted in a way of their own.
        let integersEnd = (0..<width).map { _ in one(of: [0, 0, wanted / 2, wanted]) }
        while rows.count < wanted, budget > 0 {
            var values: [SQLiteValue] = []
            for column in 0..<width {
                values.append(rows.count < integersEnd[column] ? makeInteger(variety) : makeValue(variety))
            }
            if isJoin { (values[0], values[1]) = (.integer(Int64(number(0...9))), .integer(id)) }
            rows.append(BothWriters.Row(id: id, values: values))
            let (next, overflow) = id.addingReportingOverflow(Int64(step == 1 ? 1 : number(1...step)))
            if overflow { break }
            id = next
        }
        return rows
    }

    private mutating func makeValue(_ variety: Int) -> SQLiteValue {
        budget -= 9
        switch number(0...11) {
        case 0: return .null
        case 1, 2: return .integer(Int64(number(-variety...variety)))
        case 3:
            let bits = number(0...63)
            return .integer(Int64(bitPattern: random.next()) >> Int64(bits))
        case 4: return .real(Double(number(-variety...variety)) / 8)
        case 5:
            return .real(
                one(of: [
                    0.0, -0.0, 1e300, -1e-300, .infinity, 0.1, 9_007_199_254_740_992, 9.3e18,
                    -9_223_372_036_854_775_808, 140_737_488_355_328,
                ]))
        case 6: return .real(Double(bitPattern: random.next()))
        case 7: return .string(makeNumericText())
        case 8: return .string("name \(number(0...variety))")
        case 9: return .blob(makeBytes())
        case 10: return .text(makeBytes())
        default: return .string("a long beginning that many have \(number(0...variety))")
        }
    }

    private mutating func makeInteger(_ variety: Int) -> SQLiteValue {
        budget -= 9
        switch number(0...9) {
        case 0: return .null
        case 1: return .integer(one(of: [.min, .min + 1, .max, 0, 1, 1 << 32, -(1 << 32)]))
        case 2: return .integer(Int64(bitPattern: random.next()) >> Int64(number(0...63)))
        default: return .integer(Int64(number(-variety...variety)))
        }
    }

    private mutating func makeNumericText() -> String {
        let sign = one(of: ["", "", "-", "+", " "])
        let whole = one(of: [
            "", "0", "7", "12", "007", "123456789012345", "9223372036854775807", "9223372036854775808",
            "99999999999999999999",
        ])
        let fraction = one(of: ["", "", ".", ".0", ".5", ".25", ".10", ".3333333333333333", ".1234567"])
        let end = one(of: ["", "", "", "e5", "e-3", " ", "x", "e", "e400"])
        return sign + whole + fraction + end
    }

    private mutating func makeBytes() -> [UInt8] {
        let sizes = [0, 1, 3, 20, 100, 480, 509, 1000, 4000, 4061, 4062, 9000, 70_000, 3_000_000]
        var size = chance(85) ? number(0...30) : one(of: sizes)
        if chance(2) { size = number(0...20_000) }
        size = min(size, max(0, budget))
        budget -= size
        let kind = number(0...2)
        var state = random.next()
        return (0..<size).map { index in
            if kind == 0 { return 0 }
            if kind == 1 { return UInt8(ascii: "a") + UInt8(index % 3) }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}

import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// Indexes on one column or two of integers and NULL, which are sorted by their bits.
@Suite struct IntegerIndexTests {
    /// Numbers in no order, with every seventh NULL; after `integers` of them come other values.
    private func rows(_ count: Int, integers: Int, step: Int64) -> [BothWriters.Row] {
        (0..<count).map { index in
            let number = Int64(index) &* step
            let value: SQLiteValue
            if index % 7 == 3 {
                value = .null
            } else if index < integers {
                value = .integer(number)
            } else {
                value = index % 2 == 0 ? .real(0.5 + Double(index)) : .string("text \(index % 50)")
            }
            return BothWriters.Row(id: Int64(index) + 1, values: [.null, value])
        }
    }

    @Test(arguments: [1, 7919, 5_700_357_409_661_599_242, 1 << 40], [500, 6 << 20])
    func theBuildersIndexIsSQLitesInOneRunAndInManyForSmallLargeAndEqualNumbers(_ step: Int64, _ sortMemory: Int) throws
    {
        try compare(rows(5000, integers: 5000, step: step), "v", sortMemory)
        try compare(rows(5000, integers: 5000, step: step), "v DESC", sortMemory)
    }

    @Test(
        arguments: ["v", "v DESC"],
        [1, 300, 2900])
    func valuesOfOtherKindsThatComeLaterFindTheirPlacesAmongTheNumbers(_ columns: String, _ integers: Int) throws {
        for sortMemory in [5000, 6 << 20] {
            try compare(rows(3000, integers: integers, step: 40_503), columns, sortMemory)
        }
    }

    @Test(arguments: ["v", "v DESC"])
    func theLowestAndTheHighestNumbers(_ columns: String) throws {
        let values: [Int64] = [.max, .min + 1, 0, -1, 1, .max - 1, .min + 1, .max]
        let rows = values.enumerated().map { BothWriters.Row(id: Int64($0 + 1), values: [.null, .integer($1)]) }
        try compare(rows, columns, 6 << 20)
        let lowest = [
            BothWriters.Row(id: 100, values: [.null, .integer(.min)]),
            BothWriters.Row(id: 101, values: [.null, .null]),
        ]
        try compare(rows + lowest, columns, 6 << 20)
    }

    /// Reals and the whole numbers among them that columns for reals store as integers, and those that are too wide for
    /// that; behind them comes a number that no double is.
    @Test(arguments: ["FLOAT", "TIMESTAMP"], ["v", "v DESC"])
    func realsStandAmongWholeNumbers(_ type: String, _ columns: String) throws {
        let limits = [1 << 47, 1 << 53].flatMap { [$0 - 1, $0, $0 + 2] as [Int64] }
        let special: [SQLiteValue] =
            limits.flatMap { [.integer($0), .integer(-$0), .real(Double($0)), .real(-Double($0))] }
            + [
                .real(.infinity), .real(-.infinity), .real(1e300), .real(-1e300), .real(.leastNonzeroMagnitude),
                .real(-.leastNonzeroMagnitude), .null,
            ]
        let values = (0..<3000).map { index -> SQLiteValue in
            let number = Int64(index * 7919 % 1009) - 500
            switch index % 9 {
            case 0: return special[index / 9 % special.count]
            case 1: return .integer(number)
            case 2: return .null
            default: return .real(Double(number) / 8)
            }
        }
        let fitting = values.enumerated().map { BothWriters.Row(id: Int64($0 + 1), values: [.null, $1]) }
        let others: [SQLiteValue] = [.integer(1 << 53 + 1), .real(-0.0), .integer(.max), .string("text"), .real(0.25)]
        let left = others.enumerated().map { BothWriters.Row(id: Int64($0 + 5000), values: [.null, $1]) }
        for sortMemory in [1000, 6 << 20] {
            try compare(fitting, columns, sortMemory, type: type)
            try compare(fitting + left, columns, sortMemory, type: type)
        }
    }

    private func compare(
        _ rows: [BothWriters.Row], _ columns: String, _ sortMemory: Int, type: String = "INTEGER"
    ) throws {
        try BothWriters(
            statements: ["CREATE TABLE T (k INTEGER PRIMARY KEY, v \(type))", "CREATE INDEX I ON T (\(columns))"],
            rows: [("T", rows)], limits: BuildLimits(sortMemory: sortMemory)
        ).compare(in: try TemporaryDirectory(), worksOn: false)
    }

    @Test(arguments: [100, 6 << 20])
    func equalNumbersInAUniqueIndexNameBothRowsNULLsAreNeverEqual(_ sortMemory: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("x.sqlite")
        let schema = try DatabaseSchema(making: [
            "CREATE TABLE T (k INTEGER PRIMARY KEY, v INTEGER)", "CREATE UNIQUE INDEX U ON T (v)",
        ])
        let builder = try DatabaseBuilder(path: path, schema: schema, limits: BuildLimits(sortMemory: sortMemory))
        let table = try builder.table("T")
        for id in Int64(1)...90 {
            table.beginRow()
            table.appendNull()
            try table.append(id % 5 == 0 ? .null : .integer((id == 77 ? 12 : id) * 1000))
            try table.endRow(id)
        }
        #expect(
            throws: BuildError(.notUnique(index: "U", columns: "T.v", row: 77, other: 12), path: path)
        ) { try builder.finish() }
    }

    @Test(arguments: ["v", "v DESC"], [200, 500, 6 << 20])
    func numbersThatComeInOrderForAWhileAreMergedWithTheOthers(_ columns: String, _ sortMemory: Int) throws {
        let rows = (0..<4000).map { index in
            BothWriters.Row(id: Int64(index) + 1, values: [.null, .integer(Int64(index % 900 / 2))])
        }
        try compare(rows, columns, sortMemory)
    }

    // MARK: - Two columns

    private static let pairs = [
        "a, b", "b, a", "a DESC, b", "b, a DESC", "b DESC, a DESC", "k, a", "a, k DESC", "a, a",
    ]

    /// Numbers in no order that fit into half a key, some of them NULL; behind the first ones comes a row that does not
    /// fit.
    private func pairRows(_ count: Int, fitting: Int, then other: SQLiteValue) -> [BothWriters.Row] {
        (0..<count).map { index in
            let first: SQLiteValue = index % 7 == 3 ? .null : .integer(Int64(index * 7919 % 61) - 30)
            let second: SQLiteValue =
                index % 11 == 5 ? .null : .integer(Int64(index) * 40_503 % 4_000_000_000 - 1 << 31 + 1)
            return BothWriters.Row(id: Int64(index) + 1, values: [.null, index == fitting ? other : first, second])
        }
    }

    @Test(arguments: pairs, [1000, 6 << 20])
    func indexesOnPairsOfNumbersAreSQLites(_ columns: String, _ sortMemory: Int) throws {
        try comparePairs(pairRows(3000, fitting: 3000, then: .null), columns, sortMemory)
    }

    @Test(
        arguments: pairs,
        [SQLiteValue.integer(1 << 31), .integer(-1 << 31), .integer(.min), .real(0.5), .string("text")])
    func whatDoesNotFitIntoPairsFindsItsPlaceAmongThem(_ columns: String, _ other: SQLiteValue) throws {
        for sortMemory in [1000, 6 << 20] {
            try comparePairs(pairRows(450, fitting: 300, then: other), columns, sortMemory)
        }
    }

    private func comparePairs(_ rows: [BothWriters.Row], _ columns: String, _ sortMemory: Int) throws {
        try BothWriters(
            statements: [
                "CREATE TABLE T (k INTEGER PRIMARY KEY, a INTEGER, b INTEGER)", "CREATE INDEX I ON T (\(columns))",
            ],
            rows: [("T", rows)], limits: BuildLimits(sortMemory: sortMemory)
        ).compare(in: try TemporaryDirectory(), worksOn: false)
    }

    @Test(arguments: [100, 6 << 20], [Int64(0), 1 << 33])
    func equalPairsInAUniqueIndexNameBothRowsUnlessOneIsNULL(_ sortMemory: Int, _ offset: Int64) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("x.sqlite")
        let schema = try DatabaseSchema(making: [
            "CREATE TABLE T (a INTEGER, b INTEGER, PRIMARY KEY (a, b))"
        ])
        let builder = try DatabaseBuilder(path: path, schema: schema, limits: BuildLimits(sortMemory: sortMemory))
        let table = try builder.table("T")
        for id in Int64(1)...90 {
            table.beginRow()
            try table.append(id % 5 == 0 ? .null : .integer(id % 9))
            try table.append(id % 5 == 0 ? .integer(7) : .integer(offset + (id == 77 ? 23 : id)))
            try table.endRow(id)
        }
        #expect(
            throws: BuildError(
                .notUnique(index: "sqlite_autoindex_T_1", columns: "T.a, T.b", row: 77, other: 23), path: path)
        ) { try builder.finish() }
    }
}

import PersistentStores
import PredicateExpressions
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFetching

/// What is written depends on none of the sizes of blocks; only a table's widths are those of its first rows.
@Suite struct FetchLimitTests {
    private static let names = ["firstName", "lastName", "email"]

    /// The employees' names, and the bytes of each block.
    private func written(
        _ limits: FetchLimits, _ write: (OutputBuffer, FetchCursor) throws -> Void
    ) throws -> (text: String, blocks: [Int], rows: [[String]]) {
        // An empty text is not NULL, and CSV tells them apart.
        let sample = try OpenedSample.company(changedBy: "UPDATE ZPERSON SET ZFIRSTNAME = 'Eve' WHERE ZFIRSTNAME = ''")
        var request = FetchRequest(entityName: "Employee")
        request.resultType = .dictionaries
        request.propertiesToFetch = Self.names.map { FetchedProperty(.keyPath($0)) }
        let cursor = try FetchCursor(sample.plan(request), store: sample.store, layout: sample.layout)
        var bytes: [UInt8] = []
        var blocks: [Int] = []
        try write(
            OutputBuffer(limits: limits) {
                bytes += $0
                blocks.append($0.count)
            }, cursor)
        let numbers = try sample.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Employee', 'Manager')")
        let rows = try sample.store.connection.rows(
            "SELECT ZFIRSTNAME, ZLASTNAME, ZEMAIL FROM ZPERSON WHERE Z_ENT IN (\(numbers.joined(separator: ","))) "
                + "ORDER BY Z_PK"
        ).map { $0.map { $0.string ?? "" } }
        return (String(decoding: bytes, as: UTF8.self), blocks, rows)
    }

    @Test(arguments: RandomNumbers.limitSizes) func blocksOfAnySizeAreTheSameText(size: Int) throws {
        var limits = FetchLimits()
        limits.block = size
        let csv = try written(limits) { output, cursor in
            var writer = CSVWriter(output, for: cursor)
            try writer.writeAll(cursor)
        }
        let wanted = ([Self.names] + csv.rows).map { $0.joined(separator: ",") + "\n" }
        #expect(csv.text == wanted.joined())
        // Each record fills a block of so few bytes.
        #expect(csv.blocks.count >= csv.rows.count)
        let json = try written(limits) { output, cursor in
            var writer = try JSONWriter(output, for: cursor, isLines: true)
            try writer.writeAll(cursor)
        }
        let lines = json.rows.map { row in
            "{" + zip(Self.names, row).map { "\"\($0)\":\($1.isEmpty ? "null" : "\"\($1)\"")" }.joined(separator: ",")
                + "}\n"
        }
        #expect(json.text == lines.joined())
    }

    @Test(arguments: RandomNumbers.limitSizes) func theFirstRowsDecideTheWidthsOfATable(size: Int) throws {
        var limits = FetchLimits()
        (limits.block, limits.measuredRows) = (size, size)
        let table = try written(limits) { output, cursor in
            var writer = TextTableWriter(output, for: cursor)
            try writer.writeAll(cursor)
        }
        let widths = Self.names.indices.map { column in
            max(Self.names[column].count, table.rows.prefix(size).map { $0[column].count }.max() ?? 0)
        }
        func line(_ cells: [String]) -> String {
            var line = zip(cells, widths).map { cell, width in
                let text = cell.count > width ? cell.prefix(width - 1) + "…" : cell
                return text + String(repeating: " ", count: width - text.count)
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        #expect(table.text == ([Self.names, rule] + table.rows).map(line).joined())
    }
}

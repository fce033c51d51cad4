import ImportTestSupport
import RecordSources
import SQLiteAccess
import TestSupport
import Testing

/// Records of very many columns: of these a batch holds fewer than the rows that it may have.
@Suite struct WideRecordTests {
    private static let columns = 1500
    private static let limits = RecordBatch.Limits(rows: 1000, bytes: 64 << 10)

    /// Reads a source batch by batch, and returns how many records each batch had.
    ///
    /// Every value is the number of its record.
    private func batches(of source: some RecordSource) throws -> [Int] {
        var (source, batch) = (source, RecordBatch(limits: Self.limits))
        var (counts, total): ([Int], Int) = ([], 0)
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                let texts = Set((0..<Self.columns).map { batch.text(of: batch.field($0, of: record)) })
                #expect(texts == ["\(total + record)"])
            }
            counts.append(batch.count)
            total += batch.count
        }
        return counts
    }

    @Test func aBatchOfManyColumnsHasFewerRecords() throws {
        let names = (0..<Self.columns).map { "c\($0)" }.joined(separator: ",")
        let rows = (0..<57).map { row in Array(repeating: "\(row)", count: Self.columns).joined(separator: ",") }
        let text = ([names] + rows).joined(separator: "\n") + "\n"
        // A field has a place of eight bytes: 65 536 / (8 * 1500) records.
        for chunk in [1000, 64 << 10] {
            let input = ByteInput(bytes: Array(text.utf8), name: "wide.csv", chunkBytes: chunk)
            #expect(try batches(of: DelimitedSource(input)) == Array(repeating: 5, count: 11) + [2])
        }
        let single = try DelimitedReading(text, limits: .init(rows: 1000, bytes: 1))
        #expect(single.records.map(\.first) == (0..<57).map { "\($0)" })
    }

    @Test func aBatchOfManyColumnsOfATableHasFewerRecords() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("wide.db")
        let connection = try Connection(path: path, access: .create)
        let columns = (0..<Self.columns).map { "c\($0)" }.joined(separator: ", ")
        let values = Array(repeating: "n", count: Self.columns).joined(separator: ", ")
        try connection.execute(
            """
            CREATE TABLE wide (\(columns));
            WITH RECURSIVE t (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM t WHERE n < 56)
            INSERT INTO wide SELECT \(values) FROM t;
            """)
        let counts = try batches(of: SQLiteSource(path: path, selection: .relation("wide")))
        #expect(counts.reduce(0, +) == 57)
        #expect(counts.dropLast().allSatisfy { $0 <= 6 })
    }

    /// The fields that a spool leaves out are found again in the bytes, more of them than there is room for at first.
    @Test func fieldsOfManyColumnsAreFoundAgain() throws {
        let row = { (row: Int) in (0..<Self.columns).map { $0 % 7 == 0 ? "a\"\(row),\($0)" : "\(row * $0)" } }
        let names = (0..<Self.columns).map { "c\($0)" }.joined(separator: ",")
        let lines = (0..<5).map { index in
            row(index).map { $0.contains(",") ? "\"\($0.replacing("\"", with: "\"\""))\"" : $0 }.joined(separator: ",")
        }
        let text = ([names] + lines).joined(separator: "\n") + "\n"
        var source = try DelimitedSource(ByteInput(bytes: Array(text.utf8), name: "wide.csv"))
        let form = try #require(DelimitedForm(of: source))
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        #expect(batch.count == 5)
        let isFound = batch.scanFields(form)
        #expect(isFound)
        for record in 0..<5 {
            #expect((0..<Self.columns).map { batch.text(of: batch.field($0, of: record)) } == row(record))
        }
    }
}

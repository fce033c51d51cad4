import PredicateExpressions
import StoreFetching
import Testing

@Suite struct CSVWriterTests {
    /// Two departments, the name of the first of which is not UTF-8, and what was refused.
    private func written(isValidated: Bool, takesRefusals: Bool = true) throws -> (bytes: [UInt8], refusals: [String]) {
        let sample = try OpenedSample.company(
            changedBy: "UPDATE ZDEPARTMENT SET ZNAME = CAST(X'61FF62' AS TEXT) WHERE ZCODE = 10")
        var request = FetchRequest(
            entityName: "Department", predicate: try FormatPredicate(format: "code IN {10, 30}"))
        request.resultType = .dictionaries
        request.propertiesToFetch = ["code", "name"].map { FetchedProperty(.keyPath($0)) }
        let cursor = try FetchCursor(sample.plan(request), store: sample.store, layout: sample.layout)
        var refusals: [String] = []
        if takesRefusals { cursor.onRefusal = { refusals.append($1) } }
        var dialect = CSVWriter.Dialect()
        dialect.isValidated = isValidated
        var bytes: [UInt8] = []
        var writer = CSVWriter(OutputBuffer { bytes += $0 }, for: cursor, dialect: dialect)
        try writer.writeAll(cursor)
        return (bytes, refusals)
    }

    @Test func aTextThatIsNoUTF8IsRefusedAndTheOthersAreWritten() throws {
        let (bytes, refusals) = try written(isValidated: true)
        #expect(String(decoding: bytes, as: UTF8.self) == "code,name\n30,Vertrieb & Marketing\n")
        #expect(refusals == ["name: a string is not valid UTF-8, and no import takes it"])
    }

    @Test func aTextThatIsNoUTF8IsAnErrorWhereNobodyTakesRefusals() throws {
        #expect(
            throws: FetchError(
                .valueNotWritable(column: "name", reason: "a string is not valid UTF-8, and no import takes it"))
        ) { try written(isValidated: true, takesRefusals: false) }
    }

    @Test func withoutTheCheckTheBytesAreWrittenAsTheyAre() throws {
        let (bytes, refusals) = try written(isValidated: false)
        #expect(bytes.starts(with: Array("code,name\n10,a".utf8) + [0xFF] + Array("b\n30".utf8)))
        #expect(refusals.isEmpty)
    }
}

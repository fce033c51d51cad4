import Foundation
import ImportTestSupport
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// Records that are larger than one may be are rejected, and the rest of the source is read.
@Suite struct LargeRecordTests {
    /// What `text` is to be read as: for each record its name, or nil where it is too large; and its first line.
    private struct Expected {
        var text = ""
        var names: [String?] = []
        var lines: [Int] = []
        var sizes: [Int] = []
        private var line: Int

        init(_ header: String) {
            text = header
            line = 1 + header.count { $0 == "\n" }
        }

        mutating func add(_ name: String?, _ record: String, separator: String = "") {
            names.append(name)
            lines.append(line)
            sizes.append(record.utf8.count)
            text += record + separator
            line += (record + separator).utf8.count { $0 == 0x0A }
        }
    }

    private func check(_ names: [String], _ problems: [RecordProblem?], _ lines: [Int], _ expected: Expected) {
        #expect(problems.map { $0?.code } == expected.names.map { $0 == nil ? .tooLarge : nil })
        #expect(lines == expected.lines)
        #expect(zip(names, expected.names).allSatisfy { $1 == nil || $0 == $1 })
        for (problem, size) in zip(problems, expected.sizes) {
            guard let problem else { continue }
            #expect(problem.byteCount == size)
            #expect(problem.limit == 2000)
        }
    }

    private static let chunks = [1, 7, 1999, 2000, 2001, 64 << 10]

    @Test(arguments: chunks)
    func ofCSV(chunk: Int) throws {
        var options = DelimitedOptions.plain
        options.hasHeader = true
        options.largestRecord = 2000
        var expected = Expected("name,note\n")
        expected.add("a", "a,1\n")
        expected.add(nil, "b," + String(repeating: "x", count: 5000) + "\n")
        expected.add("c", "c,\"2\n3\"\n")
        expected.add(nil, "d,\"" + String(repeating: "x,\"\"\n,", count: 2000) + "\"\n")
        expected.add(nil, "e,\"" + String(repeating: "\n", count: 3000) + "\",\"y\" z\"\n")
        expected.add("f", "f," + String(repeating: "y", count: 1997) + "\n")
        expected.add(nil, "g," + String(repeating: "y", count: 1998) + "\n")
        expected.add("h", "h,4\n")
        expected.add(nil, "i,\"" + String(repeating: "z\r\n", count: 3000) + "\"\n")
        expected.add(nil, "j," + String(repeating: "w", count: 9000))
        let reading = try DelimitedReading(expected.text, options: options, chunkBytes: chunk)
        check(reading.records.map { $0.first ?? "" }, reading.problems, reading.lines, expected)
        let small = RecordBatch.Limits(rows: 2)
        #expect(
            try DelimitedReading(expected.text, options: options, chunkBytes: chunk, limits: small).records
                == reading.records)
    }

    @Test(arguments: chunks)
    func ofCSVInAnotherEncoding(chunk: Int) throws {
        var options = DelimitedOptions.plain
        options.hasHeader = true
        options.encoding = TextEncoding(named: "UTF-16LE")
        options.largestRecord = 2000
        var expected = Expected("name,note\n")
        expected.add("a", "a,1\n")
        expected.add(nil, "b,\"" + String(repeating: "ü\n", count: 5000) + "\"\n")
        expected.add("c", "c,2\n")
        let bytes = expected.text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let reading = try DelimitedReading(
            ByteInput(bytes: bytes, name: "t", chunkBytes: chunk), options: options)
        check(reading.records.map { $0.first ?? "" }, reading.problems, reading.lines, expected)
        #expect(reading.sourceBytes[2] == "c,2\n".utf16.flatMap { [UInt8($0), 0] })
    }

    @Test func aSeparatorOfSeveralBytesAndEscapesEndTheRecordWhereTheyEndSmallOnes() throws {
        var options = DelimitedOptions.plain
        options.delimiter = "||"
        options.escape = .some(UInt8(ascii: "\\"))
        options.largestRecord = 2000
        let filler = String(repeating: "x", count: 3000)
        let text = "a||\"\(filler)\\\"\n|\"||y\nb||\\\"\(filler)\nc|||\"\(filler)\nd||1||2\n"
        let reading = try DelimitedReading(text, options: options, chunkBytes: 100)
        #expect(reading.codes == [.tooLarge, .tooLarge, .tooLarge, nil])
        #expect(reading.records.last == ["d", "1", "2"])
        #expect(reading.lines == [1, 3, 4, 5])
    }

    @Test(arguments: [JSONOptions.Layout.lines, .concatenated, .array], chunks)
    func ofJSON(layout: JSONOptions.Layout, chunk: Int) throws {
        var options = JSONOptions()
        options.layout = layout
        options.limits.bytes = 2000
        let comma = layout == .array ? ",\n" : "\n"
        let filler = String(repeating: "x]}\\\"", count: 1000)
        var expected = Expected(layout == .array ? "[\n" : "")
        expected.add("a", "{\"name\":\"a\"}", separator: comma)
        expected.add(nil, "{\"name\":\"b\",\"note\":\"\(filler)\"}", separator: comma)
        expected.add("c", "{\"name\":\"c\"}", separator: comma)
        if layout != .lines {
            let items = (0..<2000).map { "{\"i\":\n\($0)}" }.joined(separator: ",")
            expected.add(nil, "{\"name\":\"d\",\"notes\":[\(items)]}", separator: comma)
        }
        expected.add("e", "{\"name\":\"e\"}")
        expected.text += layout == .array ? "\n]\n" : ""
        let reading = try NestedReading(
            jsonSource(Array(expected.text.utf8), paths: ["name"], chunkBytes: chunk, options: options),
            limits: RecordBatch.Limits(rows: 3))
        check(reading.fields.map { $0.first ?? "" }, reading.problems, reading.lines, expected)
    }

    @Test(arguments: chunks)
    func ofJSONObjectsByKey(chunk: Int) throws {
        var options = JSONOptions()
        options.recordPath = "*"
        options.limits.bytes = 2000
        let filler = String(repeating: "x", count: 5000)
        let text = "{\"a\": {\"n\": 1}, \"b\": {\"n\": \"\(filler)\"},\n \"c\": {\"n\": 3}}"
        let reading = try NestedReading(
            jsonSource(Array(text.utf8), paths: ["@key", "n"], chunkBytes: chunk, options: options))
        #expect(reading.codes == [nil, .tooLarge, nil])
        #expect(reading.fields[2] == ["c", "3"])
    }

    @Test func ofXML() throws {
        var options = XMLOptions(recordPath: "/r/i")
        options.limits.bytes = 2000
        let filler = String(repeating: "x&amp;", count: 100_000)
        let parts = String(repeating: "<p>1</p>", count: 3000)
        let text = """
            <r><i><n>a</n></i>
            <i><n>\(filler)</n></i>
            <i n="1"><n>c</n></i>
            <i>\(parts)</i><i><n>e</n></i>
            </r>
            """
        var names = FieldNames()
        let path = try RecordPath("n", names: &names)
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, to: "t.xml")
        for limits in [RecordBatch.Limits(rows: 1), RecordBatch.Limits()] {
            let reading = try NestedReading(
                XMLSource(path: file, options: options, paths: [path], names: names), limits: limits)
            #expect(reading.codes == [nil, .tooLarge, nil, .tooLarge, nil])
            #expect(reading.fields.map { $0.first ?? "" } == ["a", "", "c", "", "e"])
            #expect(reading.lines == [1, 2, 3, 4, 4])
            #expect(reading.problems[1]?.byteCount == filler.utf8.count + 14)
        }
    }

    @Test(arguments: [1, 3, 1000])
    func theLogSaysWhatWasNotKept(rows: Int) throws {
        let fixture = try ImportFixture(
            entities: "<entity name=\"A\"><attribute name=\"name\" attributeType=\"String\"/></entity>")
        let folder = fixture.directory.file("rejects")
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.largestRecord = 2000
        options.rejectsDirectory = folder
        let text = "name\na\n\"" + String(repeating: "x", count: 4000) + "\"\nb\n"
        let report = try fixture.run(text, as: "a.csv", mapping: "entity: A\nattributes: [name]", options: options)
        #expect(report.rejected == 1)
        #expect(try fixture.rows("SELECT ZNAME FROM ZA ORDER BY 1") == ["a", "b"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["rejects.csv", "rejects.ndjson"])
        let log = try String(contentsOfFile: folder + "/rejects.ndjson", encoding: .utf8)
        #expect(log.contains("\"line\":3,\"byteOffset\":7,"))
        #expect(log.contains("the record has 4003 bytes, more than the 2000 that one may have, and is not among"))
        options.largestRecord = 5000
        options.rejectsDirectory = nil
        #expect(
            try fixture.run(text, as: "a.csv", mapping: "entity: A\nkey: name\nattributes: [name]", options: options)
                .rejected == 0)
    }

    @Test func aQuoteThatIsNeverClosedLeavesTheStoreAsItWas() throws {
        let fixture = try ImportFixture(
            entities: "<entity name=\"A\"><attribute name=\"name\" attributeType=\"String\"/></entity>")
        var options = ImportOptions()
        options.largestRecord = 2000
        let text = "name\na\n\"b\n" + String(repeating: "x\n", count: 4000)
        let error = #expect(throws: SourceError.self) {
            try fixture.run(text, as: "a.csv", mapping: "entity: A\nattributes: [name]", options: options)
        }
        #expect(error?.code == .unclosedQuote)
        #expect(error?.line == 3)
        #expect(!FileManager.default.fileExists(atPath: fixture.store))
    }
}

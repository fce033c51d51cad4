import Foundation
import ImportTestSupport
import RecordConversion
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

@Suite struct RejectWriterTests {
    private let directory: TemporaryDirectory
    private let folder: String

    init() throws {
        directory = try TemporaryDirectory()
        folder = directory.file("rejects")
    }

    private let reason = RejectionReason(
        .unfit(ConversionFailure(.numberTooLarge), expected: "an integer"), entity: "Thing", property: "count",
        column: "b", value: Array("9,\"9\n".utf8))

    /// Rejects the records whose numbers satisfy a condition.
    private func reject(
        _ source: inout some RecordSource, _ writer: RejectWriter, relation: String? = nil, where isBad: (Int) -> Bool
    ) throws {
        var batch = RecordBatch(limits: .init(rows: 2))
        var number = 0
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                if isBad(number) || batch.problem(of: record) != nil {
                    let problem = batch.problem(of: record).map { RejectionReason(.unreadable($0)) }
                    try writer.reject(
                        record, of: batch, from: RejectSource(source, relation: relation), for: [problem ?? reason])
                }
                number += 1
            }
        }
    }

    @Test func rejectedRecordsOfADelimitedFileAreAFileLikeItByteForByte() throws {
        let text = "\u{FEFF}# c\r\n\r\nn,\"b\"\r\n1,\"x\r\ny\"\r\n2,\"\"\"\"\r\n3\r\n4,z"
        let path = try directory.write(text, to: "things.csv")
        var options = DelimitedOptions()
        options.comment = UInt8(ascii: "#")
        var source = try DelimitedSource(ByteInput(path: path), options: options)
        let writer = RejectWriter(directory: folder)
        try reject(&source, writer) { $0 == 1 || $0 == 3 }
        try writer.finish()
        #expect(try directory.names(in: "rejects") == ["rejects.csv", "rejects.ndjson", "things.rejected.csv"])
        #expect(
            try directory.text("rejects/things.rejected.csv")
                == "\u{FEFF}# c\r\n\r\nn,\"b\"\r\n2,\"\"\"\"\r\n3\r\n4,z\r\n")
        #expect(writer.recordCount == 3)
        // It can be imported again.
        let again = try DelimitedReading(ByteInput(path: folder + "/things.rejected.csv"), options: options)
        #expect(again.records == [["2", "\""], ["3"], ["4", "z"]])
    }

    @Test func theLogSaysWhereWhatAndWhyForProgramsAndForSpreadsheets() throws {
        let path = try directory.write("a,b\n1,2\n3\n", to: "t.csv")
        var source = try DelimitedSource(ByteInput(path: path))
        let writer = RejectWriter(directory: folder)
        try reject(&source, writer) { $0 == 0 }
        try writer.finish()
        let lines = try directory.text("rejects/rejects.ndjson").split(separator: "\n")
        let objects = try lines.map { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?.mapValues { "\($0)" }
        }
        #expect(
            objects == [
                [
                    "file": path, "record": "1", "line": "2", "byteOffset": "4", "column": "b", "entity": "Thing",
                    "property": "count", "code": "1610", "error": "numberTooLarge", "value": "9,\"9\\n",
                    "message": "the number is too large; expected an integer",
                ],
                [
                    "file": path, "record": "2", "line": "3", "byteOffset": "8", "code": "134200",
                    "error": "unreadable",
                    "message":
                        "the record has only 1 field; add the missing ones, or say \"ragged: true\" in a mapping",
                ],
            ])
        let table = try DelimitedReading(ByteInput(path: folder + "/rejects.csv"))
        #expect(table.columns.first == "file" && table.columns.last == "message")
        #expect(table.records[0][9] == "9,\"9\\n")
        #expect(table.records[1][4...6] == ["", "", ""])
    }

    @Test func rejectedItemsOfAnArrayAreAnArrayLinesAreLines() throws {
        for (name, text, expected) in [
            ("a.json", "[{\"a\":0},{\"a\" : 1},\n{\"a\":2},{\"a\":3}]", "[\n{\"a\" : 1},\n{\"a\":3}\n]\n"),
            ("b.ndjson", "{\"a\":0}\n{\"a\" : 1}\n{\"a\":2}\n{\"a\":3}", "{\"a\" : 1}\n{\"a\":3}\n"),
        ] {
            let path = try directory.write(text, to: name)
            var source = try JSONSource(ByteInput(path: path))
            let writer = RejectWriter(directory: folder, isReplacing: true)
            try reject(&source, writer) { $0 % 2 == 1 }
            try writer.finish()
            let stem = name.prefix(1)
            #expect(try directory.text("rejects/\(stem).rejected.\(name.dropFirst(2))") == expected)
        }
    }

    @Test func rejectedElementsAreADocumentWithTheNamespacesAroundThem() throws {
        let text =
            "<?xml version='1.0'?>\n<r xmlns:p='urn:p' a='1>0'>"
            + "<b><i p:n='0'/><i p:n='1'>x &amp; y</i></b><b><i/></b></r>"
        let path = try directory.write(text, to: "t.xml")
        var source = try XMLSource(path: path, options: XMLOptions(recordPath: "/r/b/i"))
        let writer = RejectWriter(directory: folder)
        try reject(&source, writer) { $0 >= 1 }
        try writer.finish()
        #expect(
            try directory.text("rejects/t.rejected.xml") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <r xmlns:p='urn:p' a='1>0'>
                <b>
                <i p:n='1'>x &amp; y</i>
                <i/>
                </b>
                </r>

                """)
        let again = try NestedReading(
            XMLSource(path: folder + "/t.rejected.xml", options: XMLOptions(recordPath: "/r/b/i")))
        #expect(again.trees == ["{x & y @p:n=1}", "{}"])
    }

    @Test func elementsOfADocumentThatIsNotUTF8AreWrittenAnewWithAllThatIsInThem() throws {
        let start = "<?xml version='1.0' encoding='ISO-8859-1'?><r xmlns:p='urn:p'><p:i a='\"&#10;'>"
        let text: [UInt8] = Array(start.utf8) + [0xE9] + Array("<b>&lt;</b></p:i></r>".utf8)
        let path = try directory.write(text, to: "t.xml")
        var source = try XMLSource(path: path, options: XMLOptions(recordPath: "p:i"))
        let writer = RejectWriter(directory: folder)
        try reject(&source, writer) { _ in true }
        try writer.finish()
        let again = try NestedReading(
            XMLSource(path: folder + "/t.rejected.xml", options: XMLOptions(recordPath: "/r/p:i")))
        #expect(again.trees == ["{é @a=\"\n b={<}}"])
    }

    @Test func rejectedRowsAreADatabaseWithTheSameColumnsAndTypes() throws {
        let path = directory.file("t.db")
        try Connection(path: path, access: .create).execute(
            """
            CREATE TABLE t (a INTEGER PRIMARY KEY, "b c" VARCHAR(3) DEFAULT 'x', d);
            INSERT INTO t VALUES (1, 'one', x'00'), (2, NULL, 2.5), (3, 'three', 'x');
            """)
        var source = try SQLiteSource(path: path, selection: .relation("t"))
        let writer = RejectWriter(directory: folder)
        try reject(&source, writer, relation: "t") { $0 != 2 }
        try writer.finish()
        let rejected = try Connection(path: folder + "/t.rejected.sqlite", access: .readOnly)
        #expect(
            try rejected.rows("SELECT * FROM t")
                == [[.integer(1), .string("one"), .blob([0])], [.integer(2), .null, .real(2.5)]])
    }

    @Test func aFileThatIsNotUTF8KeepsItsEncoding() throws {
        func utf16(_ text: String) -> [UInt8] {
            text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        }
        let path = try directory.write(utf16("\u{FEFF}a,b\n1,Ċ\n2,é\n3,Ċ"), to: "t.csv")
        var source = try DelimitedSource(ByteInput(path: path))
        let writer = RejectWriter(directory: folder)
        try reject(&source, writer) { $0 != 1 }
        try writer.finish()
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/t.rejected.csv")))
        #expect(bytes == utf16("\u{FEFF}a,b\n1,Ċ\n3,Ċ\n"))
    }

    @Test func aRunThatGoesOnContinuesItsFilesWhereTheCheckpointWas() throws {
        let text = "[" + (0..<9).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        let path = try directory.write(text, to: "t.json")
        let first = RejectWriter(directory: folder)
        var source = try JSONSource(ByteInput(path: path))
        var batch = RecordBatch(limits: .init(rows: 3))
        var checkpoint = RejectCheckpoint()
        var position = RecordPosition.start
        for round in 0..<2 {
            #expect(try source.next(into: &batch))
            try first.reject(1, of: batch, from: RejectSource(source), for: [reason, reason])
            if round == 0 {
                checkpoint = try first.checkpoint()
                position = batch.end
            }
        }
        // The run was killed: what it wrote after the checkpoint counts for nothing.
        _ = try first.checkpoint()
        let second = RejectWriter(directory: folder, goingOnFrom: checkpoint)
        #expect(second.recordCount == 1)
        var rest = try JSONSource(ByteInput(path: path), from: position)
        while try rest.next(into: &batch) {
            try second.reject(2, of: batch, from: RejectSource(rest), for: [reason])
        }
        try second.finish()
        #expect(try directory.text("rejects/t.rejected.json") == "[\n{\"a\":1},\n{\"a\":5},\n{\"a\":8}\n]\n")
        #expect(try directory.text("rejects/rejects.ndjson").split(separator: "\n").count == 4)
        #expect(try directory.text("rejects/rejects.csv").split(separator: "\r\n").count == 5)
        #expect(try directory.names(in: "rejects") == ["rejects.csv", "rejects.ndjson", "t.rejected.json"])
    }

    @Test func sourcesOfOneNameHaveFilesOfTheirOwnAndStandardInputHasOne() throws {
        let writer = RejectWriter(directory: folder)
        try FileManager.default.createDirectory(atPath: directory.file("sub"), withIntermediateDirectories: true)
        for path in try [directory.write("a\n1\n", to: "t.csv"), directory.write("a\n2\n", to: "sub/t.csv")] {
            var source = try DelimitedSource(ByteInput(path: path))
            try reject(&source, writer) { _ in true }
        }
        var input = try DelimitedSource(ByteInput(bytes: Array("a\n3\n".utf8), name: "-"))
        try reject(&input, writer) { _ in true }
        try writer.finish()
        #expect(try directory.text("rejects/t.rejected.csv") == "a\n1\n")
        #expect(try directory.text("rejects/t.rejected-2.csv") == "a\n2\n")
        #expect(try directory.text("rejects/stdin.rejected.csv") == "a\n3\n")
    }

    @Test func longAndUnreadableValuesAreCutAndEscaped() throws {
        var batch = RecordBatch()
        var source = try DelimitedSource(ByteInput(bytes: Array("a\n1\n".utf8), name: "t.csv"))
        #expect(try source.next(into: &batch))
        let writer = RejectWriter(directory: folder)
        let values: [[UInt8]] = [
            Array(String(repeating: "é", count: 5000).utf8), [0xFF, 0x00, 0x41, 0x5C], Array("a\tb\r".utf8),
        ]
        for value in values {
            var rejection = reason
            rejection.value = value
            try writer.reject(0, of: batch, from: RejectSource(source), for: [rejection])
        }
        try writer.finish()
        let log = try DelimitedReading(ByteInput(path: folder + "/rejects.csv"))
        #expect(log.records.map { $0[9] } == [String(repeating: "é", count: 100) + "…", "\\xff\\x00A\\\\", "a\\tb\\r"])
    }

    @Test func noRejectedRecordNoFileAFolderThatCannotBeMadeIsAnError() throws {
        try RejectWriter(directory: folder).finish()
        #expect(try directory.names().isEmpty)
        var batch = RecordBatch()
        var source = try DelimitedSource(ByteInput(bytes: Array("a\n1\n".utf8), name: "t.csv"))
        #expect(try source.next(into: &batch))
        let writer = RejectWriter(directory: directory.file("missing/rejects"))
        #expect(throws: SourceError.self) { try writer.reject(0, of: batch, from: RejectSource(source), for: [reason]) }
    }
}

import TestSupport
import Testing

@testable import RecordSources

@Suite struct SpreadsheetSourceTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func source(
        _ file: WorkbookFile, _ change: (inout SpreadsheetSource.Options) -> Void = { _ in }
    ) throws -> SpreadsheetSource {
        var options = SpreadsheetSource.Options()
        change(&options)
        return try SpreadsheetSource(path: directory.write(file.bytes(), to: "a.xlsx"), options: options)
    }

    private func name(of kind: RecordField.Kind) -> String {
        switch kind {
        case .text: "text"
        case .number: "number"
        case .boolean: "boolean"
        case .date: "date"
        default: "kind \(kind.rawValue)"
        }
    }

    /// The rows as text, read in batches of two: the kind of each value and its bytes, or the problem of the row.
    private func rows(_ source: SpreadsheetSource) throws -> [[String]] {
        var source = source
        var batch = RecordBatch(limits: RecordBatch.Limits(rows: 2))
        var rows: [[String]] = []
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                if let problem = batch.problem(of: record) {
                    rows.append(["line \(problem.line): \(problem.sentence)"])
                    continue
                }
                rows.append(
                    (0..<source.columns.count).map { column in
                        let field = batch.field(column, of: record)
                        return field.isAbsent ? "-" : "\(name(of: field.kind)) \(batch.text(of: field))"
                    })
            }
        }
        return rows
    }

    private let header = "<row r='1'><c t='inlineStr'><is><t>a</t></is></c><c t='inlineStr'><is><t>b</t></is></c></row>"

    @Test(arguments: ["", "x:"]) func eachTypeOfCellIsRead(prefix: String) throws {
        let p = prefix
        func cell(_ attributes: String, _ value: String) -> String {
            "<\(p)c \(attributes)><\(p)v>\(value)</\(p)v></\(p)c>"
        }
        let names = (0..<9).map { "<\(p)c t='str'><\(p)v>c\($0)</\(p)v></\(p)c>" }.joined()
        var file = WorkbookFile(
            "<\(p)row>\(names)</\(p)row><\(p)row>" + cell("t='s'", "1") + cell("t='n'", "12")
                + cell("", "1.1000000000000001")
                + cell("t='b'", "1") + cell("t='e'", "#N/A") + cell("t='d'", "2024-05-01T10:00:00")
                + "<\(p)c t='inlineStr'><\(p)is><\(p)r><\(p)t>one </\(p)t></\(p)r><\(p)rPh><\(p)t>ichi</\(p)t></\(p)rPh>"
                + "<\(p)r><\(p)t>run</\(p)t></\(p)r></\(p)is></\(p)c>"
                + "<\(p)c t='str'><\(p)f>A1&amp;B1</\(p)f><\(p)v>x_x000D_y_x005F_</\(p)v></\(p)c>"
                + cell("s='0'", "45413")
                + "</\(p)row>")
        file.prefix = p
        file.texts = "<\(p)si><\(p)t>other</\(p)t></\(p)si><\(p)si><\(p)r><\(p)t>shared</\(p)t></\(p)r></\(p)si>"
        file.formats = ["14"]
        let source = try source(file)
        #expect(source.columns.map(\.name) == (0..<9).map { "c\($0)" })
        #expect(
            try rows(source) == [
                [
                    "text shared", "number 12", "number 1.1", "boolean true", "text #N/A", "text 2024-05-01T10:00:00",
                    "text one run", "text x\ry_", "text 2024-05-01",
                ]
            ])
    }

    @Test func cellsStandWhereTheirNamesSay() throws {
        let file = WorkbookFile(
            "<row r='2'><c r='A2'><v>1</v></c><c r='C2'><v>3</v></c></row><row r='3'/><row r='7'>"
                + "<c r='B7'><v>5</v></c></row><row><c r='AB8'><v>9</v></c></row><row r='9'><c r='XFE9'><v>1</v></c></row>"
        )
        let source = try source(file) { $0.hasHeader = false }
        #expect(source.columns.map(\.name) == ["column1", "column2", "column3"])
        let rows = try rows(source)
        #expect(rows.prefix(2) == [["number 1", "-", "number 3"], ["-", "number 5", "-"]])
        #expect(rows[2][0].hasPrefix("line 8: the record has 28 fields, too many"))
        #expect(rows[3][0].hasPrefix("line 9: the record has 16385 fields, too many"))
    }

    @Test func settingsSayWhatIsRead() throws {
        let row = "<row r='3'><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row>"
        let title = "<row r='1'><c t='str'><v>Report</v></c></row>"
        let named = header.replacing("r='1'", with: "r='2'")
        let file = WorkbookFile(sheets: [
            .init(name: "Notes", rows: header, state: "hidden"), .init(name: "Data", rows: title + named + row),
        ])
        let data = try source(file) { ($0.skippedRows, $0.allowsLongRecords) = (1, true) }
        #expect(data.columns.map(\.name) == ["a", "b"])
        #expect(try rows(data) == [["number 1", "number 2"]])
        let renamed = try source(file) { ($0.skippedRows, $0.columns, $0.allowsLongRecords) = (1, ["x"], true) }
        #expect(renamed.columns.map(\.name) == ["x"])
        #expect(try rows(renamed) == [["number 1"]])
        #expect(try source(file) { $0.sheet = "Notes" }.columns.count == 2)
        let tooMany = #expect(throws: SourceError.self) {
            try source(file) { ($0.skippedRows, $0.columns) = (1, ["x", "y", "z"]) }
        }
        #expect(tooMany?.code == .fewerColumns(named: 3, found: 2))
        let missing = #expect(throws: SourceError.self) { try source(file) { $0.sheet = "data" } }
        #expect(missing?.description.contains("there is no sheet 'data'; did you mean 'Data'?") == true)
    }

    @Test func formulasWithoutValueRejectTheirRows() throws {
        let file = WorkbookFile(
            header + "<row r='2'><c r='B2'><f>1+1</f></c></row><row r='3'><c r='A3'><f>1+1</f><v/></c></row>"
                + "<row r='4'><c><v>1</v></c></row>")
        let rows = try rows(source(file))
        #expect(rows[0][0].hasPrefix("line 2: the formula in column 2 has no value"))
        #expect(rows[1][0].hasPrefix("line 3: the formula in column 1 has no value"))
        #expect(rows[2] == ["number 1", "-"])
    }

    @Test func aRecordThatIsTooLargeIsRejectedAndReadingGoesOn() throws {
        let text = String(repeating: "x", count: 900)
        let cells = "<c t='str'><v>\(text)</v></c><c t='str'><v>\(text)</v></c>"
        let file = WorkbookFile(header + "<row>\(cells)</row><row><c><v>1</v></c></row>")
        let rows = try rows(source(file) { $0.limits = RecordLimits(bytes: 1024) })
        #expect(rows[0][0].contains("1800 bytes, more than the 1024"))
        #expect(rows[1] == ["number 1", "-"])
    }

    @Test func readingGoesOnAtAPosition() throws {
        let numbers = (1...7).map { "<row><c><v>\($0)</v></c></row>" }.joined()
        let path = try directory.write(WorkbookFile(header + numbers).bytes(), to: "a.xlsx")
        var source = try SpreadsheetSource(path: path, options: .init())
        var batch = RecordBatch(limits: RecordBatch.Limits(rows: 3))
        #expect(try source.next(into: &batch))
        let rest = try SpreadsheetSource(path: path, options: .init(), from: batch.end)
        #expect(try rows(rest).map { $0[0] } == (4...7).map { "number \($0)" })
    }

    @Test func whatIsNoWorkbookIsRefused() throws {
        var writer = ZipWriter()
        try writer.add("word/document.xml", Array("<d/>".utf8))
        let path = try directory.write(writer.finished(), to: "a.xlsx")
        let error = #expect(throws: SourceError.self) { try SpreadsheetSource(path: path, options: .init()) }
        #expect(error?.description.contains("the archive has no workbook") == true)
        #expect(throws: SourceError.self) { try SpreadsheetSource(path: "-", options: .init()) }
    }

    /// Damage is an error of the source or of a record, never anything else.
    @Test func mutatedWorkbooksAreReadOrRefused() throws {
        let rows = "<row r='2'><c r='A2' t='s' s='1'><v>0</v></c><c r='B2' s='1'><v>45413.5</v></c></row>"
        var random = RandomNumbers(seed: 3)
        var refused = 0
        for _ in 0..<400 {
            var file = WorkbookFile(header + mutated(rows, &random))
            file.texts = mutated("<si><t>text</t></si>", &random)
            file.formats = ["14", mutated("yyyy-mm-dd", &random)]
            do {
                _ = try self.rows(source(file))
            } catch is SourceError {
                refused += 1
            }
        }
        #expect(1..<400 ~= refused)
    }

    private func mutated(_ text: String, _ random: inout RandomNumbers) -> String {
        var bytes = Array(text.utf8)
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = Array("09<>'/AZx;[\"".utf8).randomElement(using: &random) ?? 0
        return String(decoding: bytes, as: UTF8.self)
    }
}

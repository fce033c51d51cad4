/// The rows of a sheet; the values keep their types.
///
/// Rejected records are written as CSV, which spreadsheets can open.
struct SpreadsheetSource: RecordRendering {
    /// The rows and columns that are read, and their sheet.
    struct Options {
        /// The name of the sheet; nil for the first visible sheet.
        var sheet: String?
        /// The number of rows before the header, or before the first record.
        var skippedRows = 0
        var hasHeader = true
        /// The names of the columns in order, instead of those in the header.
        var columns: [String]?
        /// Whether rows may have values outside of the columns, which are ignored.
        var allowsLongRecords = false
        var limits = RecordLimits()
        var texts = SharedTexts.Limits()
    }

    let name: String
    let columns: [SourceColumn]
    let wrapping: RecordWrapping

    private var reader: SheetReader
    private let options: Options
    private var position = RecordPosition(byteOffset: 0, line: 1, record: 0)
    private var recordsToSkip: Int
    /// The first row of a sheet without header, which was read to determine the number of columns.
    private var first: (row: SheetReader.Row, cells: [RecordField], batch: RecordBatch)?
    private var isFinished = false

    init(path: String, options: Options, from position: RecordPosition? = nil) throws(SourceError) {
        let workbook = try Workbook(path: path)
        try self.init(workbook, workbook.sheet(options.sheet), options: options, from: position)
    }

    init(
        _ workbook: Workbook, _ sheet: Workbook.Sheet, options: Options, from position: RecordPosition? = nil
    ) throws(SourceError) {
        name = workbook.path
        self.options = options
        recordsToSkip = position?.record ?? 0
        reader = try SheetReader(workbook, sheet, limits: options.limits, texts: options.texts)
        var batch = RecordBatch(limits: RecordBatch.Limits(rows: 1))
        var row = try reader.next(&batch)
        while let found = row, found.number <= options.skippedRows {
            batch.removeAll()
            row = try reader.next(&batch)
        }
        if let problem = row?.problem, options.hasHeader {
            throw SourceError(.malformedHeader(problem), in: name, line: problem.line)
        }
        var names = reader.cells.enumerated().map { place, cell in
            options.hasHeader && !cell.isAbsent ? batch.text(of: cell) : "column\(place + 1)"
        }
        if let row, !options.hasHeader { first = (row, reader.cells, batch) }
        if let given = options.columns {
            guard given.count <= names.count || row == nil || !options.hasHeader else {
                throw SourceError(.fewerColumns(named: given.count, found: names.count), in: name)
            }
            names = given
        }
        columns = names.map { SourceColumn(name: $0) }
        wrapping = RecordWrapping(
            prefix: options.hasHeader ? Self.line(names.map { .text($0) }) : [], fileExtension: "csv")
    }

    /// Whether the sheet has no rows and no column names.
    var isEmpty: Bool { columns.isEmpty }

    mutating func next(into batch: inout RecordBatch) throws -> Bool {
        batch.removeAll()
        batch.start = position
        while !batch.isFull && !isFinished {
            let arenaStart = batch.arena.count
            guard let (row, cells) = try nextRow(&batch) else {
                isFinished = true
                break
            }
            position.record += 1
            position.line = row.number + 1
            if recordsToSkip > 0 {
                recordsToSkip -= 1
                batch.truncateArena(to: arenaStart)
                batch.start = position
            } else {
                append(row, cells, to: &batch)
            }
        }
        batch.end = position
        if isFinished && recordsToSkip > 0 { throw SourceError(.positionBeyondEnd, in: name) }
        return batch.count > 0
    }

    private mutating func nextRow(
        _ batch: inout RecordBatch
    ) throws(SourceError) -> (SheetReader.Row, [RecordField])? {
        guard let first else { return try reader.next(&batch).map { ($0, reader.cells) } }
        self.first = nil
        // The places of its values refer to its own batch.
        let start = batch.appendValue(first.batch.arena)
        let cells = first.cells.map { cell in
            cell.isAbsent ? cell : RecordField(cell.kind, start: start + cell.start, length: cell.length)
        }
        return (first.row, cells)
    }

    private func append(_ row: SheetReader.Row, _ cells: [RecordField], to batch: inout RecordBatch) {
        var problem = row.problem
        if cells.count > columns.count, !options.allowsLongRecords {
            problem = problem ?? RecordProblem(.tooManyFields, line: row.number, fieldCount: cells.count)
        }
        let firstField = batch.fieldCount
        // If a record is rejected because it has too many values, all of its values are written to the rejects.
        let count = problem == nil ? columns.count : max(columns.count, cells.count)
        for column in 0..<count { batch.appendField(column < cells.count ? cells[column] : .null) }
        batch.appendEntry(
            RecordEntry(
                firstField: firstField, fieldCount: count, arenaStart: batch.arena.count, arenaLength: 0,
                line: row.number, sourceOffset: 0))
        if let problem { batch.reject(batch.count - 1, for: problem) }
    }

    // MARK: Rejected records

    private enum Value {
        case null
        case plain([UInt8])
        case text(String)
    }

    static func rendered(_ record: Int, of batch: RecordBatch) -> CapturedRecord {
        .bytes(
            line(
                (0..<Int(batch[record].fieldCount)).map { column in
                    let field = batch.field(column, of: record)
                    switch field.kind {
                    case .null, .missing, .node, .failure: return .null
                    case .number, .boolean: return .plain(Array(batch.bytes(of: field)))
                    default: return .text(batch.text(of: field))
                    }
                }))
    }

    /// Returns a line of CSV. Texts are quoted, so that they are read as texts whatever they contain.
    private static func line(_ values: [Value]) -> [UInt8] {
        var line: [UInt8] = []
        for (place, value) in values.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            switch value {
            case .null: break
            case .plain(let bytes): line += bytes
            case .text(let text):
                line.append(UInt8(ascii: "\""))
                for byte in text.utf8 {
                    if byte == UInt8(ascii: "\"") { line.append(byte) }
                    line.append(byte)
                }
                line.append(UInt8(ascii: "\""))
            }
        }
        return line + [UInt8(ascii: "\n")]
    }
}

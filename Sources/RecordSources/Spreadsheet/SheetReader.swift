import DocumentReading

/// Reads the rows of a sheet in order, and adds the values of their cells to a batch.
struct SheetReader {
    /// A row that has a value.
    struct Row {
        /// The number of the row, counted from 1, as spreadsheets show it.
        var number: Int
        /// The reason why the row cannot be read; nil if it can.
        var problem: RecordProblem?
    }

    /// The values of the current row, up to the last one.
    private(set) var cells: [RecordField] = []

    private var document: WorkbookPart
    private var texts: SharedTexts
    private let forms: [CellForm]
    private let dates: SerialDate
    private let limits: RecordLimits
    private var rowNumber = 0
    private var value: [UInt8] = []

    /// The number of columns that spreadsheets support.
    static let largestColumnCount = 16_384
    /// A limit above the number of rows that spreadsheets support.
    private static let largestRow = 1 << 30

    init(
        _ workbook: Workbook, _ sheet: Workbook.Sheet, limits: RecordLimits, texts: SharedTexts.Limits
    ) throws(SourceError) {
        self.limits = limits
        self.texts = try workbook.sharedTexts(limits: texts, limits)
        forms = try workbook.cellForms()
        dates = workbook.dates
        document = try workbook.part(sheet.part, limits: limits)
    }

    /// Returns the next row with a value; nil at the end of the sheet. The values are added to the batch's arena.
    mutating func next(_ batch: inout RecordBatch) throws(SourceError) -> Row? {
        while let event = try document.next() {
            guard event == .startElement, document.name == "row" else { continue }
            // A row without a number follows the row before.
            let number = document.attribute("r").flatMap { Int($0) } ?? rowNumber + 1
            rowNumber = 1...Self.largestRow ~= number ? number : rowNumber + 1
            let problem = try readCells(&batch)
            if !cells.isEmpty || problem != nil { return Row(number: rowNumber, problem: problem) }
        }
        return nil
    }

    private mutating func readCells(_ batch: inout RecordBatch) throws(SourceError) -> RecordProblem? {
        cells.removeAll(keepingCapacity: true)
        let arenaStart = batch.arena.count
        var problem: RecordProblem?
        var column = -1
        while let event = try document.next() {
            if event == .endElement, document.name == "row" { break }
            guard event == .startElement, document.name == "c" else { continue }
            column = document.attribute("r").flatMap(Self.column) ?? column + 1
            let found = try readCell(column, &batch)
            problem = problem ?? found
            let size = batch.arena.count - arenaStart
            if size > limits.bytes {
                batch.truncateArena(to: arenaStart)
                problem = RecordProblem(tooLarge: size, limit: limits.bytes, line: rowNumber)
                cells.removeAll(keepingCapacity: true)
            }
        }
        while cells.last?.isAbsent ?? false { cells.removeLast() }
        return problem
    }

    private mutating func readCell(_ column: Int, _ batch: inout RecordBatch) throws(SourceError) -> RecordProblem? {
        let type = document.attribute("t") ?? "n"
        let form = document.attribute("s").flatMap { Int($0) }.flatMap { forms.indices.contains($0) ? forms[$0] : nil }
        let depth = document.events.depth - 1
        value.removeAll(keepingCapacity: true)
        var hasValue = false
        var hasFormula = false
        var isInValue = false
        loop: while let event = try document.next() {
            switch event {
            case .startElement:
                switch document.name {
                case "v": (isInValue, hasValue) = (true, true)
                case "f": hasFormula = true
                case "is":
                    value = try CellText.read(&document)
                    hasValue = true
                default: break
                }
            case .endElement:
                isInValue = false
                if document.events.depth <= depth { break loop }
            case .text:
                guard isInValue else { continue }
                document.events.withText { bytes in
                    for index in bytes.indices { value.append(bytes[index]) }
                }
            }
        }
        guard 0..<Self.largestColumnCount ~= column else {
            return RecordProblem(.tooManyFields, line: rowNumber, fieldCount: column + 1)
        }
        // Programs that compute no formulas write an empty value, or no value at all.
        guard hasValue && !(value.isEmpty && type == "n") else {
            return hasFormula ? RecordProblem(.formulaWithoutValue, line: rowNumber, fieldCount: column + 1) : nil
        }
        guard let field = try field(type, form ?? .number, &batch) else {
            return RecordProblem(.malformed, line: rowNumber)
        }
        while cells.count <= column { cells.append(.null) }
        cells[column] = field
        return nil
    }

    /// Returns the value according to the type of its cell (ECMA-376, part 1, 18.18.11); nil if it does not fit the
    /// type.
    private mutating func field(
        _ type: String, _ form: CellForm, _ batch: inout RecordBatch
    ) throws(SourceError) -> RecordField? {
        switch type {
        case "s":
            guard let number = Int(String(decoding: value, as: UTF8.self)) else { return nil }
            let start = batch.arena.count
            do throws(SharedTexts.SystemFailure) {
                guard try texts.appendText(number, to: &batch.arena) else { return nil }
            } catch {
                throw SourceError(.cannotRead(systemError: error.number), in: "the folder for temporary files")
            }
            return RecordField(.text, start: start, length: batch.arena.count - start)
        case "b": return Self.field(.boolean, Array((value == [UInt8(ascii: "1")] ? "true" : "false").utf8), &batch)
        case "n": return value.isEmpty ? .null : number(form, &batch)
        case "str": return Self.field(.text, CellText.unescaped(value), &batch)
        // A text in the cell, an ISO 8601 date, or the name of an error such as #N/A.
        default: return Self.field(.text, value, &batch)
        }
    }

    private func number(_ form: CellForm, _ batch: inout RecordBatch) -> RecordField? {
        let text = String(decoding: value, as: UTF8.self)
        guard let number = Double(text), number.isFinite else { return nil }
        if form != .number, let date = dates.text(number, form) { return Self.field(.text, Array(date.utf8), &batch) }
        // Spreadsheets write doubles with more digits than needed: 1.1 is 1.1000000000000001.
        let isExact = value.count { 0x30...0x39 ~= $0 } <= 15
        return Self.field(.number, isExact ? value : Self.digits(of: number), &batch)
    }

    /// Returns the shortest digits of a double; whole numbers have no fraction.
    private static func digits(of number: Double) -> [UInt8] {
        let digits = Array(number.description.utf8)
        return digits.suffix(2) == [UInt8(ascii: "."), UInt8(ascii: "0")] ? digits.dropLast(2) : digits
    }

    private static func field(_ kind: RecordField.Kind, _ bytes: [UInt8], _ batch: inout RecordBatch) -> RecordField {
        RecordField(kind, start: batch.appendValue(bytes), length: bytes.count)
    }

    /// Returns the index, from 0, of the column in a cell reference such as `BC12`; nil if it is not a cell reference.
    private static func column(_ name: String) -> Int? {
        var number = 0
        for byte in name.utf8 {
            switch byte {
            case 0x41...0x5A: number = number * 26 + Int(byte - 0x40)
            case 0x61...0x7A: number = number * 26 + Int(byte - 0x60)
            case 0x30...0x39: return number > 0 ? number - 1 : nil
            default: return nil
            }
            if number > largestColumnCount { return number - 1 }
        }
        return nil
    }
}

/// The log of rejected records, twice: as NDJSON for programs, as CSV for spreadsheets.
struct RejectLog {
    private let lines: RejectFile
    private let table: RejectFile

    static let columns = [
        "file", "record", "line", "byteOffset", "column", "entity", "property", "code", "error", "value", "message",
    ]

    init(lines: RejectFile, table: RejectFile) throws(SourceError) {
        self.lines = lines
        self.table = table
        if table.count == 0 { try table.append(Array((RejectLog.columns.joined(separator: ",") + "\r\n").utf8)) }
    }

    /// A value of the log; nil is absent.
    private enum Cell {
        case text(String?)
        case number(Int?)
    }

    func append(_ rejection: Rejection, file: String, record: Int, line: Int, byteOffset: Int?) throws(SourceError) {
        let cells: [Cell] = [
            .text(file), .number(record), .number(rejection.line ?? line),
            .number(rejection.byteOffset ?? byteOffset), .text(rejection.column), .text(rejection.entity),
            .text(rejection.property), .number(rejection.code), .text(rejection.error),
            .text(rejection.value.map(RejectedValue.shown)), .text(rejection.message),
        ]
        var object = "{"
        var row = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { row += "," }
            let key = (index > 0 ? "," : "") + "\"\(RejectLog.columns[index])\":"
            switch cell {
            case .text(let text?):
                object += key + RejectLog.quotedJSON(text)
                row += RejectLog.quotedCSV(text)
            case .number(let number?):
                object += key + String(number)
                row += String(number)
            case .text(nil), .number(nil): continue
            }
        }
        try lines.append(Array((object + "}\n").utf8))
        try table.append(Array((row + "\r\n").utf8))
    }

    static func quotedJSON(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    static func quotedCSV(_ text: String) -> String {
        let needsQuotes = text.isEmpty || text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
        guard needsQuotes else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

import RecordSources
import TextEncodings

/// The log of rejected records in two formats: NDJSON for programs, CSV for spreadsheets.
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

    func append(_ reason: RejectionReason, file: String, record: Int, line: Int, byteOffset: Int?) throws(SourceError) {
        let cells: [Cell] = [
            .text(file), .number(record), .number(line), .number(byteOffset), .text(reason.column),
            .text(reason.entity), .text(reason.property), .number(reason.code), .text(reason.error),
            .text(reason.value.isEmpty ? nil : RejectedValue.shown(reason.value)), .text(reason.message),
        ]
        var object = Array("{".utf8)
        var row = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { row += "," }
            let key = (index > 0 ? "," : "") + "\"\(RejectLog.columns[index])\":"
            switch cell {
            case .text(let text?):
                object += key.utf8
                object.append(json: text.utf8.span)
                row += RejectLog.quotedCSV(text)
            case .number(let number?):
                object += (key + String(number)).utf8
                row += String(number)
            case .text(nil), .number(nil): continue
            }
        }
        try lines.append(object + "}\n".utf8)
        try table.append(Array((row + "\r\n").utf8))
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

import PersistentStores
import SQLiteAccess
import TextEncodings

/// Writes an aligned table for people; long values are cut, and control characters shown.
///
/// The widths are those of the first rows; later values are cut to them.
public struct TextTableWriter: RecordWriter {
    private var output: OutputBuffer
    private let names: [String]
    private let texts: [ValueText]
    private let isRight: [Bool]
    /// What the stores of objects are called, by their UUIDs; empty for a single store.
    private let storeNames: [String: String]
    private var waiting: [[String]] = []
    private var widths: [Int]?

    /// Characters of a cell.
    private static let maximumWidth = 40

    /// Prepares to write the results of a cursor.
    /// - Parameters:
    ///   - output: takes the bytes.
    ///   - cursor: the results that will be written.
    ///   - styles: how the values of each column are written; the default for those that are not given.
    ///   - storeNames: what the stores of objects are called, by their UUIDs; empty for a single store.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, styles: [ValueStyle] = [], storeNames: [String: String] = [:]
    ) {
        self.output = output
        self.storeNames = storeNames
        names = cursor.columns.map { Self.shown($0.name) }
        texts = ValueText.texts(of: cursor, styles)
        isRight = cursor.columns.map { $0.form.isNumber && !$0.isList }
    }

    /// Writes nothing: the names wait until the widths are known.
    /// - Throws: nothing, though other writers may.
    public mutating func begin() throws {}

    /// Writes the cursor's current row as a line; always true.
    /// - Throws: `SQLiteError` if the store cannot be read; what the output's sink throws.
    public mutating func write(_ cursor: FetchCursor) throws -> Bool {
        let cells = try texts.indices.map { try cell($0, of: cursor) }
        if widths != nil {
            append(cells)
        } else {
            waiting.append(cells)
            if waiting.count >= output.limits.measuredRows { flushWaiting() }
        }
        try output.flushIfFull()
        return true
    }

    /// Takes over from a writer of the same form, with what it has not passed on yet.
    public mutating func goOn(after other: inout TextTableWriter) {
        swap(&output, &other.output)
        swap(&waiting, &other.waiting)
        swap(&widths, &other.widths)
    }

    /// Passes on what was written; rows that wait for the widths of columns still wait.
    /// - Throws: what the output's sink throws.
    public mutating func flush() throws { try output.flush() }

    /// Writes the rows that wait, and passes everything on.
    /// - Throws: what the output's sink throws.
    public mutating func end() throws {
        if widths == nil { flushWaiting() }
        try output.flush()
    }

    private mutating func flushWaiting() {
        widths = names.indices.map { index in
            waiting.reduce(names[index].count) { max($0, $1[index].count) }
        }
        append(names)
        append((widths ?? []).map { String(repeating: "-", count: $0) })
        waiting.forEach { append($0) }
        waiting = []
    }

    private mutating func append(_ cells: [String]) {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let width = widths?[index] ?? 0
            let text = Self.cut(cell, to: width)
            let padding = String(repeating: " ", count: max(0, width - text.count))
            line += (index > 0 ? "  " : "") + (isRight[index] ? padding + text : text + padding)
        }
        while line.last == " " { line.removeLast() }
        output.bytes += line.utf8
        output.bytes.append(10)
    }

    private func cell(_ index: Int, of cursor: FetchCursor) throws -> String {
        guard let column = cursor.statementColumns[index] else {
            var parts: [String] = []
            try cursor.forEachElement(of: index) { element in
                // What is cut anyway is not collected.
                if parts.count < Self.maximumWidth { parts.append(cell(texts[index], element, 0)) }
            }
            return Self.cut(parts.joined(separator: ", "), to: Self.maximumWidth)
        }
        return cell(texts[index], cursor.statement, column)
    }

    private func cell(_ text: ValueText, _ statement: Statement, _ column: Int32) -> String {
        let storage = statement.storageClass(column)
        switch storage {
        case .null: return ""
        case .text where text.form == .object: return object(statement.string(column))
        case .text: return Self.shown(statement.string(column))
        case .blob where text.form == .json: return "not JSON"
        case .blob where text.form != .uuid:
            let count = statement.withSpan(column) { $0.count }
            return text.form == .externalData && count == 38 ? "external data" : Quantity.bytes(Int64(count))
        default:
            var bytes: [UInt8] = []
            // A date without a form is shown as the number that it is.
            do {
                try text.append(statement, column, storage, to: &bytes)
            } catch {
                return "\(statement.real(column))"
            }
            return Self.shown(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// An object's URI without what is the same in all of them.
    private func object(_ uri: String) -> String {
        // x-coredata:, the store's UUID, the entity, the key
        let parts = uri.split(separator: "/")
        let store = parts.count == 4 ? storeNames[String(parts[1])] : nil
        return Self.shown(((store.map { [$0[...]] } ?? []) + parts.suffix(2)).joined(separator: "/"))
    }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(max(0, width - 1)) + "…" : text
    }

    /// The beginning of a text, control characters escaped.
    private static func shown(_ text: String) -> String {
        let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumWidth * 4)))
        return cut(PrintableText.line(beginning), to: maximumWidth)
    }
}

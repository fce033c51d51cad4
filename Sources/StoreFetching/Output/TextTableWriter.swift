import PersistentStores
import SQLiteAccess
import TextEncodings

/// Writes an aligned table for people; long values are truncated, and control characters are made visible.
///
/// The widths are determined by the first rows; later values are truncated to them.
public struct TextTableWriter: RecordWriter {
    private var output: OutputBuffer
    private let names: [String]
    private let texts: [ValueText]
    private let isRight: [Bool]
    /// The names of the objects' stores by UUID; empty for a single store.
    private let storeNames: [String: String]
    private var waiting: [[String]] = []
    private var widths: [Int]?

    /// The maximum number of characters in a cell.
    private static let maximumWidth = 40

    /// Prepares to write the results of a cursor.
    /// - Parameters:
    ///   - output: receives the bytes.
    ///   - cursor: the results to write.
    ///   - styles: the style of each column's values; the default style if not given.
    ///   - storeNames: the names of the objects' stores by UUID; empty for a single store.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, styles: [ValueStyle] = [], storeNames: [String: String] = [:]
    ) {
        self.output = output
        self.storeNames = storeNames
        names = cursor.columns.map { Self.shown($0.name) }
        texts = ValueText.texts(of: cursor, styles)
        isRight = cursor.columns.map { $0.form.isNumber && !$0.isList }
    }

    /// Writes nothing: the names are written when the widths are known.
    /// - Throws: nothing; other writers may throw.
    public mutating func begin() throws {}

    /// Writes the cursor's current row as a line; always returns true.
    /// - Throws: `SQLiteError` if the store cannot be read; any error of the output's sink.
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

    /// Continues after another writer for the same format, and takes over its pending output.
    public mutating func goOn(after other: inout TextTableWriter) {
        swap(&output, &other.output)
        swap(&waiting, &other.waiting)
        swap(&widths, &other.widths)
    }

    /// Passes pending output to the sink, without the rows that wait for the widths of columns.
    /// - Throws: any error of the output's sink.
    public mutating func flush() throws { try output.flush() }

    /// Writes the waiting rows, and passes all output to the sink.
    /// - Throws: any error of the output's sink.
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
                // Elements beyond the maximum width are not collected.
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
            // A date that cannot be formatted is shown as a number.
            do {
                try text.append(statement, column, storage, to: &bytes)
            } catch {
                return "\(statement.real(column))"
            }
            return Self.shown(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Returns an object's URI without the parts that all objects share.
    private func object(_ uri: String) -> String {
        // The parts are x-coredata:, the store's UUID, the entity, and the key.
        let parts = uri.split(separator: "/")
        let store = parts.count == 4 ? storeNames[String(parts[1])] : nil
        return Self.shown(((store.map { [$0[...]] } ?? []) + parts.suffix(2)).joined(separator: "/"))
    }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(max(0, width - 1)) + "…" : text
    }

    /// Returns the beginning of a text, with control characters escaped.
    private static func shown(_ text: String) -> String {
        let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumWidth * 4)))
        return cut(PrintableText.line(beginning), to: maximumWidth)
    }
}

import SQLiteAccess
import SQLiteFileBuilder
import TextEncodings

/// Writes JSON: an array of objects, or one object per line (ndjson).
///
/// A path with several steps leads into objects and arrays in the record; paths with the same beginning are adjacent.
public struct JSONWriter: BufferedRecordWriter {
    /// Always true: the writer supports rows that a cursor reads from pages.
    public static var takesStoredRows: Bool { true }

    var output: OutputBuffer
    private let isLines: Bool
    private let values: [JSONValueWriter]
    private let fields: [Field]
    /// The text before each value: `,"name":`, or more where objects begin and end.
    private let keys: [UInt8]
    private var isFirst = true
    /// Whether records of another writer precede those of this one.
    public var isGoingOn: Bool {
        get { !isFirst }
        set { isFirst = !newValue }
    }
    /// The text before and after an array of records that is inside objects.
    private var opening: [UInt8] = []
    private let closing: [UInt8]
    /// The text that closes the objects opened by paths, before the parts.
    private let inner: [UInt8]
    private var parts: [Part]

    /// The location of a value and its key, without references that would be counted for each row.
    private struct Field {
        /// nil for a list.
        let column: Int32?
        /// The form of the value, one of `values`.
        let text: Unmanaged<ValueText>
        /// The range of the key in `keys`.
        let key: Range<Int>
    }

    /// Prepares to write the results of a cursor.
    /// - Parameters:
    ///   - output: receives the bytes.
    ///   - cursor: the results to write.
    ///   - isLines: whether each object is on a line of its own (ndjson), instead of all in an array.
    ///   - styles: the style of each column's values; the default style if not given.
    ///   - paths: the paths of the columns' values; nil for keys with the names of the columns.
    ///   - around: the keys of the objects around the array.
    ///   - parts: related objects that are written into each record.
    /// - Throws: `FetchError` for paths that contradict each other, and for names that JSON cannot represent.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, isLines: Bool, styles: [ValueStyle] = [],
        paths: [[RecordStep]]? = nil, around: [String] = [], parts: [Part] = []
    ) throws {
        self.parts = parts
        self.output = output
        self.isLines = isLines
        closing = Array(repeating: UInt8(ascii: "}"), count: around.count)
        let texts = ValueText.texts(of: cursor, styles)
        let values = texts.map { JSONValueWriter($0) }
        self.values = values
        let layout = try JSONKeys(paths ?? cursor.columns.map { [.name($0.name)] })
        var keys: [UInt8] = []
        fields = layout.keys.enumerated().map { index, key in
            keys += key
            return Field(
                column: cursor.statementColumns[index], text: .passUnretained(values[index].text),
                key: keys.count - key.count..<keys.count)
        }
        self.keys = keys
        inner = layout.closing
        for name in around {
            opening.append(UInt8(ascii: "{"))
            try JSONValueWriter.append(key: name, to: &opening)
        }
    }

    /// Continues after another writer for the same format, and takes over its pending output.
    public mutating func goOn(after other: inout JSONWriter) {
        swap(&output, &other.output)
        isFirst = other.isFirst
    }

    /// Writes the text before the first object, unless objects are lines.
    /// - Throws: nothing; other writers may throw.
    public mutating func begin() throws {
        if !isLines { output.bytes += opening + [UInt8(ascii: "[")] }
    }

    /// Writes the cursor's current row as an object; false if the row is refused.
    /// - Throws: `FetchError` for a value that JSON cannot represent, unless the cursor handles refusals; `SQLiteError`
    ///   if the store cannot be read; any error of the output's sink.
    public mutating func write(_ cursor: FetchCursor) throws -> Bool {
        guard try append(cursor, behind: isLines ? [] : Array((isFirst ? "\n" : ",\n").utf8)) else { return false }
        isFirst = false
        if isLines { output.bytes.append(10) }
        try output.flushIfFull()
        return true
    }

    /// Appends an object with its parts; returns false, and appends nothing, if it is refused.
    private mutating func append(_ cursor: FetchCursor, behind separator: [UInt8]) throws -> Bool {
        let isWritten = try append(cursor) { writer in
            writer.output.bytes += separator
            try writer.append(valuesOf: cursor)
        }
        guard isWritten else { return false }
        var isEmpty = fields.isEmpty
        for index in parts.indices { try append(part: index, of: cursor.primaryKey, &isEmpty) }
        output.bytes.append(UInt8(ascii: "}"))
        return true
    }

    private mutating func append(valuesOf cursor: FetchCursor) throws {
        if fields.isEmpty { output.bytes.append(UInt8(ascii: "{")) }
        // One reference is counted for all fields of a row.
        let keys = keys
        if let stored = cursor.stored {
            for index in fields.indices { try append(index, keys.span, of: stored) }
        } else {
            let statement = cursor.statement
            for index in fields.indices { try append(index, keys.span, of: statement, cursor) }
        }
        output.bytes.append(contentsOf: inner)
    }

    /// A value of a row from the pages, which has no lists.
    private mutating func append(_ index: Int, _ keys: Span<UInt8>, of row: TableRows) throws {
        let field = fields[index]
        output.bytes.append(copying: keys.extracting(field.key))
        guard let column = field.column else { return }
        try field.text._withUnsafeGuaranteedRef { text in
            switch row.value(column) {
            case .null: output.bytes.append(text: "null")
            case .integer(let number): try JSONValueWriter.append(integer: number, text, to: &output.bytes)
            case .real(let number): try JSONValueWriter.append(real: number, text, to: &output.bytes)
            case .text(let place) where text.form != .json && text.form != .decimal:
                try row.withRecord(place) {
                    try JSONValueWriter.append(string: $0, of: text.name, to: &output.bytes)
                }
            case .text, .blob: try JSONValueWriter.append(row, column, text, to: &output.bytes)
            }
        }
    }

    private mutating func append(
        _ index: Int, _ keys: Span<UInt8>, of row: Statement, _ cursor: FetchCursor
    ) throws {
        let field = fields[index]
        output.bytes.append(copying: keys.extracting(field.key))
        if let column = field.column {
            try field.text._withUnsafeGuaranteedRef { try JSONValueWriter.append(row, column, $0, to: &output.bytes) }
        } else {
            try values[index].append(list: index, of: cursor, to: &output.bytes)
        }
    }

    private mutating func append(part index: Int, of owner: Int64, _ isEmpty: inout Bool) throws {
        let cursor = parts[index].cursor
        try cursor.begin(owner: owner)
        let isList = parts[index].isList
        // A missing object has no key either.
        let opening = (isEmpty ? [] : [UInt8(ascii: ",")]) + parts[index].opening
        if isList { output.bytes += opening }
        var isFirst = true
        while try (isList || isFirst) && cursor.next() {
            // All share one buffer: the part's writer uses it temporarily.
            swap(&output, &parts[index].writer.output)
            let separator = isList ? (isFirst ? [] : [UInt8(ascii: ",")]) : opening
            let isWritten = try parts[index].writer.append(cursor, behind: separator + parts[index].before)
            swap(&output, &parts[index].writer.output)
            guard isWritten else { continue }
            isFirst = false
            output.bytes += parts[index].behind
            // A list may be larger than memory.
            try output.flushIfFull()
        }
        guard isList || !isFirst else { return }
        output.bytes += parts[index].closing
        isEmpty = false
    }

    /// Passes pending output to the sink.
    /// - Throws: any error of the output's sink.
    public mutating func flush() throws { try output.flush() }

    /// Writes the text after the last object, and passes all output to the sink.
    /// - Throws: any error of the output's sink.
    public mutating func end() throws {
        if !isLines { output.bytes += [10, UInt8(ascii: "]")] + closing + [10] }
        try output.flush()
    }
}

import TextEncodings

/// Writes JSON: an array of objects, or an object a line (ndjson).
///
/// A name of several parts is a path: objects in objects, where columns with equal beginnings stand side by side.
public struct JSONWriter: BufferedRecordWriter {
    var output: OutputBuffer
    private let isLines: Bool
    private let values: [JSONValue]
    /// What stands before each value: `,"name":`, or more where objects begin and end.
    private let keys: [[UInt8]]
    private var isFirst = true
    /// Whether records come behind those of another writer.
    public var isGoingOn: Bool {
        get { !isFirst }
        set { isFirst = !newValue }
    }
    /// What stands before and behind an array of records that lies in objects.
    private var opening: [UInt8] = []
    private let closing: [UInt8]
    /// What ends the objects that paths have opened, before the parts.
    private let inner: [UInt8]
    private var parts: [Part]

    /// Related objects in the records: an array of objects, or an object.
    public struct Part {
        let key: [UInt8]
        let isList: Bool
        let cursor: FetchCursor
        var writer: JSONWriter

        /// - Parameters:
        ///   - cursor: of a request with an owner: the record's object.
        ///   - writer: writes the part's objects to the same output, as lines.
        public init(name: String, isList: Bool, _ cursor: FetchCursor, _ writer: JSONWriter) throws {
            var key: [UInt8] = []
            try JSONValue.append(string: Array(name.utf8).span, of: name, to: &key)
            self.key = key + [UInt8(ascii: ":")]
            self.isList = isList
            self.cursor = cursor
            self.writer = writer
        }
    }

    /// - Parameters:
    ///   - paths: the names of the columns; their own, of one part each, without them.
    ///   - around: the keys of the objects around the array.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, isLines: Bool, styles: [ValueStyle] = [],
        paths: [[String]]? = nil, around: [String] = [], parts: [Part] = []
    ) throws {
        self.parts = parts
        self.output = output
        self.isLines = isLines
        closing = Array(repeating: UInt8(ascii: "}"), count: around.count)
        let texts = ValueText.texts(of: cursor, styles)
        values = texts.map { JSONValue($0) }
        var keys: [[UInt8]] = []
        var open: [String] = []
        for path in paths ?? cursor.columns.map({ [$0.name] }) {
            let objects = Array(path.dropLast())
            let common = zip(open, objects).prefix { $0 == $1 }.count
            var key = Array(repeating: UInt8(ascii: "}"), count: open.count - common)
            key.append(keys.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            for name in objects.dropFirst(common) {
                try JSONValue.append(string: Array(name.utf8).span, of: name, to: &key)
                key += [UInt8(ascii: ":"), UInt8(ascii: "{")]
            }
            try JSONValue.append(string: Array((path.last ?? "").utf8).span, of: path.last ?? "", to: &key)
            key.append(UInt8(ascii: ":"))
            keys.append(key)
            open = objects
        }
        self.keys = keys
        for name in around {
            opening.append(UInt8(ascii: "{"))
            try JSONValue.append(string: Array(name.utf8).span, of: name, to: &opening)
            opening.append(UInt8(ascii: ":"))
        }
        inner = Array(repeating: UInt8(ascii: "}"), count: open.count)
    }

    public mutating func begin() throws {
        if !isLines { output.bytes += opening + [UInt8(ascii: "[")] }
    }

    public mutating func write(_ cursor: FetchCursor) throws -> Bool {
        guard try append(cursor, behind: isLines ? [] : Array((isFirst ? "\n" : ",\n").utf8)) else { return false }
        isFirst = false
        if isLines { output.bytes.append(10) }
        try output.flushIfFull()
        return true
    }

    /// An object, and what lies in it; false, and nothing, where it is refused.
    private mutating func append(_ cursor: FetchCursor, behind separator: [UInt8]) throws -> Bool {
        let isWritten = try append(cursor) { writer in
            writer.output.bytes += separator
            try writer.append(valuesOf: cursor)
        }
        guard isWritten else { return false }
        var isEmpty = keys.isEmpty
        for index in parts.indices { try append(part: index, of: cursor.primaryKey, &isEmpty) }
        output.bytes.append(UInt8(ascii: "}"))
        return true
    }

    private mutating func append(valuesOf cursor: FetchCursor) throws {
        if keys.isEmpty { output.bytes.append(UInt8(ascii: "{")) }
        for index in keys.indices {
            output.bytes.append(contentsOf: keys[index])
            if let column = cursor.statementColumns[index] {
                try values[index].append(cursor.statement, column, to: &output.bytes)
            } else {
                try values[index].append(list: index, of: cursor, to: &output.bytes)
            }
        }
        output.bytes.append(contentsOf: inner)
    }

    private mutating func append(part index: Int, of owner: Int64, _ isEmpty: inout Bool) throws {
        let cursor = parts[index].cursor
        try cursor.begin(owner: owner)
        let isList = parts[index].isList
        // An object that is not there has no key either.
        let opening = (isEmpty ? [] : [UInt8(ascii: ",")]) + parts[index].key
        if isList { output.bytes += opening + [UInt8(ascii: "[")] }
        var isFirst = true
        while try (isList || isFirst) && cursor.next() {
            // One buffer for all: the part's writer has it for a while.
            swap(&output, &parts[index].writer.output)
            let separator = isList ? (isFirst ? [] : [UInt8(ascii: ",")]) : opening
            let isWritten = try parts[index].writer.append(cursor, behind: separator)
            swap(&output, &parts[index].writer.output)
            if isWritten { isFirst = false }
        }
        if isList { output.bytes.append(UInt8(ascii: "]")) }
        if isList || !isFirst { isEmpty = false }
        try output.flushIfFull()
    }

    public mutating func flush() throws { try output.flush() }

    public mutating func end() throws {
        if !isLines { output.bytes += [10, UInt8(ascii: "]")] + closing + [10] }
        try output.flush()
    }
}

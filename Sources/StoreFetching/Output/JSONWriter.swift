/// Writes JSON: an array of objects, or an object a line (ndjson).
///
/// A name of several parts is a path: objects in objects, where columns with equal beginnings stand side by side.
public struct JSONWriter: RecordWriter {
    private var output: OutputBuffer
    private let isLines: Bool
    private let values: [JSONValue]
    /// What stands before each value: `,"name":`, or more where objects begin and end.
    private let keys: [[UInt8]]
    private let ending: [UInt8]
    private var isFirst = true
    /// What stands before and behind an array of records that lies in objects.
    private var opening: [UInt8] = []
    private let closing: [UInt8]

    /// - Parameters:
    ///   - paths: the names of the columns; their own, of one part each, without them.
    ///   - around: the keys of the objects around the array.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, isLines: Bool, styles: [ValueStyle] = [],
        paths: [[String]]? = nil, around: [String] = []
    ) throws {
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
        ending = Array(repeating: UInt8(ascii: "}"), count: open.count + 1) + (isLines ? [10] : [])
    }

    public mutating func begin() throws {
        if !isLines { output.bytes += opening + [UInt8(ascii: "[")] }
    }

    public mutating func write(_ cursor: FetchCursor) throws {
        if !isLines { output.bytes.append(text: isFirst ? "\n" : ",\n") }
        isFirst = false
        for index in keys.indices {
            output.bytes.append(contentsOf: keys[index])
            if let column = cursor.statementColumns[index] {
                try values[index].append(cursor.statement, column, to: &output.bytes)
            } else {
                try values[index].append(list: index, of: cursor, to: &output.bytes)
            }
        }
        output.bytes.append(contentsOf: ending)
        try output.flushIfFull()
    }

    public mutating func end() throws {
        if !isLines { output.bytes += [10, UInt8(ascii: "]")] + closing + [10] }
        try output.flush()
    }
}

/// Writes JSON: an array of objects, or an object a line (ndjson).
public struct JSONWriter: RecordWriter {
    private var output: OutputBuffer
    private let isLines: Bool
    private let values: [JSONValue]
    /// `"name":`
    private let keys: [[UInt8]]
    private var isFirst = true

    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, isLines: Bool, styles: [ValueStyle] = [],
        names: [String]? = nil
    ) throws {
        self.output = output
        self.isLines = isLines
        let texts = ValueText.texts(of: cursor, styles)
        values = texts.map { JSONValue($0) }
        keys = try zip(names ?? cursor.columns.map(\.name), values).map { name, value in
            var key: [UInt8] = []
            try value.append(string: Array(name.utf8).span, to: &key)
            return key + [UInt8(ascii: ":")]
        }
    }

    public mutating func begin() throws {
        if !isLines { output.bytes.append(UInt8(ascii: "[")) }
    }

    public mutating func write(_ cursor: FetchCursor) throws {
        if !isLines { output.bytes.append(text: isFirst ? "\n" : ",\n") }
        isFirst = false
        for index in keys.indices {
            output.bytes.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            output.bytes.append(contentsOf: keys[index])
            if let column = cursor.statementColumns[index] {
                try values[index].append(cursor.statement, column, to: &output.bytes)
            } else {
                try values[index].append(list: index, of: cursor, to: &output.bytes)
            }
        }
        output.bytes.append(UInt8(ascii: "}"))
        if isLines { output.bytes.append(10) }
        try output.flushIfFull()
    }

    public mutating func end() throws {
        if !isLines { output.bytes.append(text: "\n]\n") }
        try output.flush()
    }
}

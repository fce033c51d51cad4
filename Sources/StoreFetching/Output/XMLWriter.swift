import SQLiteAccess

/// Writes XML: an element for each record, in it one for each value; NULL has none, a list has one for each element.
public struct XMLWriter: RecordWriter {
    /// The elements around the records, the outermost first, and the records' own name.
    public struct Elements: Sendable, Hashable {
        public var around: [String]
        public var record: String
        /// The namespaces of prefixes.
        public var namespaces: [String: String] = [:]

        public init(around: [String], record: String) {
            self.around = around
            self.record = record
        }
    }

    /// Related objects in the records: an element each.
    public struct Part {
        let cursor: FetchCursor
        var writer: XMLWriter

        /// - Parameters:
        ///   - cursor: of a request with an owner: the record's object.
        ///   - writer: writes the part's objects to the same output.
        public init(_ cursor: FetchCursor, _ writer: XMLWriter) {
            self.cursor = cursor
            self.writer = writer
        }
    }

    private var parts: [Part]
    private var output: OutputBuffer
    private let elements: Elements
    private let names: [String]
    private let texts: [ValueText]
    /// Attributes of the record's element come before the values in it.
    private let attributes: [Int]
    private let children: [Int]

    /// - Parameter names: those of the values' elements; `@name` is an attribute of the record's element, and `.` its
    ///   text.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, elements: Elements, styles: [ValueStyle] = [],
        names: [String]? = nil, parts: [Part] = []
    ) throws {
        self.parts = parts
        self.output = output
        self.elements = elements
        self.names = names ?? cursor.columns.map(\.name)
        texts = ValueText.texts(of: cursor, styles)
        attributes = self.names.indices.filter { [names = self.names] in names[$0].hasPrefix("@") }
        children = self.names.indices.filter { [names = self.names] in !names[$0].hasPrefix("@") }
        for name in self.names.filter({ $0 != "." }) + elements.around + [elements.record] {
            let plain = name.hasPrefix("@") ? name.dropFirst() : name[...]
            guard Self.isName(plain) else {
                throw FetchError(
                    .valueNotWritable(column: name, reason: "this is no name of an XML element; use another format"))
            }
        }
    }

    private static func isName(_ name: Substring) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
        return name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || ".-_:".unicodeScalars.contains($0) }
    }

    public mutating func begin() throws {
        output.bytes.append(text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        for (index, name) in elements.around.enumerated() {
            output.bytes += "<\(name)".utf8
            if index == 0 {
                for (prefix, uri) in elements.namespaces.sorted(by: { $0.key < $1.key }) {
                    output.bytes += " xmlns\(prefix.isEmpty ? "" : ":" + prefix)=\"".utf8
                    try append(text: Array(uri.utf8).span, of: prefix)
                    output.bytes.append(UInt8(ascii: "\""))
                }
            }
            output.bytes.append(text: ">\n")
        }
    }

    public mutating func write(_ cursor: FetchCursor) throws {
        output.bytes += "<\(elements.record)".utf8
        for index in attributes {
            guard let column = cursor.statementColumns[index], !cursor.statement.isNull(column) else { continue }
            output.bytes += " \(names[index].dropFirst())=\"".utf8
            try append(cursor.statement, column, index)
            output.bytes.append(UInt8(ascii: "\""))
        }
        output.bytes.append(UInt8(ascii: ">"))
        for index in children {
            if let column = cursor.statementColumns[index] {
                try append(element: index, cursor.statement, column)
            } else {
                var elements: [SQLiteValue] = []
                try cursor.forEachElement(of: index) { elements.append($0.value(0)) }
                for element in elements { try append(element: index, element) }
            }
        }
        for index in parts.indices {
            let part = parts[index].cursor
            try part.begin(owner: cursor.primaryKey)
            while try part.next() {
                // One buffer for all: the part's writer has it for a while.
                swap(&output, &parts[index].writer.output)
                try parts[index].writer.write(part)
                swap(&output, &parts[index].writer.output)
            }
        }
        output.bytes += "</\(elements.record)>\n".utf8
        try output.flushIfFull()
    }

    public mutating func end() throws {
        for name in elements.around.reversed() { output.bytes += "</\(name)>\n".utf8 }
        try output.flush()
    }

    // MARK: Values

    private mutating func append(element index: Int, _ statement: Statement, _ column: Int32) throws {
        guard !statement.isNull(column) else { return }
        if names[index] == "." { return try append(statement, column, index) }
        output.bytes += "<\(names[index])>".utf8
        try append(statement, column, index)
        output.bytes += "</\(names[index])>".utf8
    }

    /// An element of a list, which are few and small: keys.
    private mutating func append(element index: Int, _ value: SQLiteValue) throws {
        guard !value.isNull else { return }
        output.bytes += "<\(names[index])>".utf8
        if case .text(let bytes) = value {
            try append(text: bytes.span, of: names[index])
        } else {
            try texts[index].append(value, to: &output.bytes)
        }
        output.bytes += "</\(names[index])>".utf8
    }

    private mutating func append(_ statement: Statement, _ column: Int32, _ index: Int) throws {
        let storage = statement.storageClass(column)
        guard storage == .text else { return try texts[index].append(statement, column, storage, to: &output.bytes) }
        try statement.withSpan(column) { try append(text: $0, of: names[index]) }
    }

    private mutating func append(text: Span<UInt8>, of name: String) throws {
        guard (try? UTF8Span(validating: text)) != nil else {
            throw FetchError(
                .valueNotWritable(column: name, reason: "a text is no valid UTF-8, which XML must be; use CSV"))
        }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "<"): output.bytes.append(text: "&lt;")
            case UInt8(ascii: ">"): output.bytes.append(text: "&gt;")
            case UInt8(ascii: "&"): output.bytes.append(text: "&amp;")
            case UInt8(ascii: "\""): output.bytes.append(text: "&quot;")
            // A reader would make spaces or line feeds of them.
            case 13: output.bytes.append(text: "&#13;")
            case 10: output.bytes.append(text: "&#10;")
            case 9: output.bytes.append(text: "&#9;")
            case 0..<0x20:
                throw FetchError(
                    .valueNotWritable(
                        column: name, reason: "a text has a control character, which XML cannot have; use CSV or JSON"))
            case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
                throw FetchError(
                    .valueNotWritable(
                        column: name, reason: "a text has U+FFFE or U+FFFF, which XML cannot have; use CSV or JSON"))
            default: output.bytes.append(text[index])
            }
        }
    }
}

import SQLiteAccess
import TextEncodings

/// Writes XML: an element for each record, in it one for each value; NULL has none, a list has one for each element.
public struct XMLWriter: BufferedRecordWriter {
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
    var output: OutputBuffer
    private let elements: Elements
    private let names: [String]
    /// The elements around each value, in the record's.
    private let around: [[String]]
    private let texts: [ValueText]
    /// Attributes of the record's element come before the values in it.
    private let attributes: [Int]
    private let children: [Int]

    /// - Parameter paths: the elements of each value, the outermost first, side by side where they begin alike; `@name` is
    ///   an attribute of the record's element, and `.` its text. The columns' names without them.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, elements: Elements, styles: [ValueStyle] = [],
        paths: [[String]]? = nil, parts: [Part] = []
    ) throws {
        let paths = paths ?? cursor.columns.map { [$0.name] }
        let names = paths.map { $0.last ?? "" }
        self.parts = parts
        self.output = output
        self.elements = elements
        self.names = names
        around = paths.map { Array($0.dropLast()) }
        texts = ValueText.texts(of: cursor, styles)
        attributes = paths.indices.filter { names[$0].hasPrefix("@") && paths[$0].count == 1 }
        children = paths.indices.filter { !names[$0].hasPrefix("@") || paths[$0].count > 1 }
        let keys = styles.compactMap(\.elementKey).map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        let inner = children.flatMap { paths[$0] }.filter { $0 != "." } + attributes.map { String(names[$0].dropFirst()) }
        for name in inner + keys + elements.around + [elements.record] where !Self.isName(name[...]) {
            throw FetchError(
                .valueNotWritable(column: name, reason: "this is no name of an XML element; use another format"))
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

    public mutating func write(_ cursor: FetchCursor) throws -> Bool {
        guard try append(cursor, { try $0.append(valuesOf: cursor) }) else { return false }
        for index in parts.indices {
            let part = parts[index].cursor
            try part.begin(owner: cursor.primaryKey)
            while try part.next() {
                // One buffer for all: the part's writer has it for a while.
                swap(&output, &parts[index].writer.output)
                _ = try parts[index].writer.write(part)
                swap(&output, &parts[index].writer.output)
            }
        }
        output.bytes += "</\(elements.record)>\n".utf8
        try output.flushIfFull()
        return true
    }

    private mutating func append(valuesOf cursor: FetchCursor) throws {
        output.bytes += "<\(elements.record)".utf8
        for index in attributes {
            guard let column = cursor.statementColumns[index], !cursor.statement.isNull(column) else { continue }
            output.bytes += " \(names[index].dropFirst())=\"".utf8
            try append(cursor.statement, column, index)
            output.bytes.append(UInt8(ascii: "\""))
        }
        output.bytes.append(UInt8(ascii: ">"))
        var open: [String] = []
        for index in children {
            if let column = cursor.statementColumns[index] {
                guard !cursor.statement.isNull(column) else { continue }
                enter(around[index], from: &open)
                try append(element: index, cursor.statement, column)
            } else {
                var elements: [SQLiteValue] = []
                try cursor.forEachElement(of: index) { elements.append($0.value(0)) }
                if !elements.isEmpty { enter(around[index], from: &open) }
                for element in elements { try append(element: index, element) }
            }
        }
        enter([], from: &open)
    }

    /// Ends elements and begins others, up to those around the next value.
    private mutating func enter(_ path: [String], from open: inout [String]) {
        let common = zip(open, path).prefix { $0 == $1 }.count
        while open.count > common { output.bytes += "</\(open.removeLast())>".utf8 }
        for name in path.dropFirst(common) {
            output.bytes += "<\(name)>".utf8
            open.append(name)
        }
    }

    public mutating func flush() throws { try output.flush() }

    public mutating func end() throws {
        for name in elements.around.reversed() { output.bytes += "</\(name)>\n".utf8 }
        try output.flush()
    }

    // MARK: Values

    private mutating func append(element index: Int, _ statement: Statement, _ column: Int32) throws {
        if names[index] == "." { return try append(statement, column, index) }
        output.bytes += "<\(names[index])>".utf8
        try append(statement, column, index)
        output.bytes += "</\(names[index])>".utf8
    }

    /// An element of a list, which are few and small: keys.
    private mutating func append(element index: Int, _ value: SQLiteValue) throws {
        guard !value.isNull else { return }
        let key = texts[index].style.elementKey
        let isAttribute = key?.hasPrefix("@") ?? false
        output.bytes += "<\(names[index])".utf8
        if let key { output.bytes += (isAttribute ? " \(key.dropFirst())=\"" : "><\(key)>").utf8 } else { output.bytes += ">".utf8 }
        if case .text(let bytes) = value {
            try append(text: bytes.span, of: names[index])
        } else {
            try texts[index].append(value, to: &output.bytes)
        }
        if let key { output.bytes += (isAttribute ? "\">" : "</\(key)>").utf8 }
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

import SQLiteAccess
import TextEncodings

/// Writes XML: an element for each record, in it one for each value; NULL has none, a list has one for each element.
public struct XMLWriter: BufferedRecordWriter {
    /// The elements around the records, the outermost first, and the records' own name.
    public struct Elements: Sendable, Hashable {
        /// The names of the elements around the records, the outermost first; empty only if there is a single record.
        public var around: [String]
        /// The name of each record's element.
        public var record: String
        /// The namespaces of prefixes.
        public var namespaces: [String: String] = [:]

        /// Makes the names of elements.
        public init(around: [String], record: String) {
            self.around = around
            self.record = record
        }
    }

    private var parts: [Part]
    var output: OutputBuffer
    private let elements: Elements
    private let record: XMLElementLayout
    private let names: [String]
    private let texts: [ValueText]

    /// Prepares to write the results of a cursor.
    /// - Parameters:
    ///   - output: takes the bytes.
    ///   - cursor: the results that will be written.
    ///   - elements: the names of the elements around the values.
    ///   - styles: how the values of each column are written; the default for those that are not given.
    ///   - paths: where the columns' values lie, side by side where they begin alike; without them elements that are
    ///     called as the columns.
    ///   - parts: related objects that are written into each record.
    /// - Throws: `FetchError` for a name that no XML element can have.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, elements: Elements, styles: [ValueStyle] = [],
        paths: [[RecordStep]]? = nil, parts: [Part] = []
    ) throws {
        self.parts = parts
        self.output = output
        self.elements = elements
        names = cursor.columns.map(\.name)
        texts = ValueText.texts(of: cursor, styles)
        record = XMLElementLayout(
            elements.record, paths: paths ?? names.map { [.name($0)] },
            lists: Set(names.indices.filter { cursor.statementColumns[$0] == nil }))
        let keys = styles.compactMap(\.elementKey).map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        for name in record.names + keys + elements.around + parts.flatMap(\.names) where !Self.isName(name[...]) {
            throw FetchError(
                .valueNotWritable(
                    column: name,
                    reason: "this cannot be the name of an XML element; use another "
                        + "format"))
        }
    }

    /// Whether a text can be an element's or attribute's name.
    public static func isName(_ name: Substring) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
        return name.unicodeScalars.allSatisfy(isName)
    }

    /// Whether a name can have a character behind its first.
    public static func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue || ".-_:".unicodeScalars.contains(scalar)
    }

    /// Writes the declaration, and the start tags around the records.
    /// - Throws: `FetchError` for a namespace that XML cannot hold.
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

    /// Writes the cursor's current row as an element; false if the row is refused.
    /// - Throws: `FetchError` for a text that XML cannot hold, unless the cursor takes refusals; `SQLiteError` if the
    ///   store cannot be read; what the output's sink throws.
    public mutating func write(_ cursor: FetchCursor) throws -> Bool {
        guard try append(cursor, { try $0.append(valuesOf: cursor) }) else { return false }
        for index in parts.indices {
            try parts[index].cursor.begin(owner: cursor.primaryKey)
            try append(part: index)
        }
        output.bytes += "</\(elements.record)>\n".utf8
        try output.flushIfFull()
        return true
    }

    private mutating func append(part index: Int) throws {
        let part = parts[index].cursor
        var isEmpty = true
        while try part.next() {
            let start = output.bytes.count
            output.bytes += (isEmpty ? parts[index].opening : []) + parts[index].before
            // One buffer for all: the part's writer has it for a while.
            swap(&output, &parts[index].writer.output)
            let isWritten = try parts[index].writer.write(part)
            swap(&output, &parts[index].writer.output)
            guard isWritten else {
                output.bytes.removeSubrange(start...)
                continue
            }
            output.bytes += parts[index].behind
            isEmpty = false
        }
        if !isEmpty { output.bytes += parts[index].closing }
    }

    // MARK: Elements

    /// The beginning of the record's element, and all values in it.
    private mutating func append(valuesOf cursor: FetchCursor) throws {
        _ = try append(contentsOf: record, cursor)
    }

    /// An element with what is in it; false, and nothing, where nothing is.
    private mutating func append(_ element: XMLElementLayout, _ cursor: FetchCursor) throws -> Bool {
        if element.isLeaf, element.text.flatMap({ cursor.statementColumns[$0] }).map(cursor.statement.isNull) ?? true {
            return false
        }
        let start = output.bytes.count
        guard try append(contentsOf: element, cursor) else {
            output.bytes.removeSubrange(start...)
            return false
        }
        output.bytes += element.end
        return true
    }

    private mutating func append(contentsOf element: XMLElementLayout, _ cursor: FetchCursor) throws -> Bool {
        output.bytes += element.beginning
        var isThere = false
        for (_, beginning, index) in element.attributes {
            guard let column = cursor.statementColumns[index], !cursor.statement.isNull(column) else { continue }
            output.bytes += beginning
            try append(cursor.statement, column, index)
            output.bytes.append(UInt8(ascii: "\""))
            isThere = true
        }
        output.bytes.append(UInt8(ascii: ">"))
        if let index = element.text, let column = cursor.statementColumns[index], !cursor.statement.isNull(column) {
            try append(cursor.statement, column, index)
            isThere = true
        }
        for child in element.children where try append(child, cursor) { isThere = true }
        return isThere
    }

    private mutating func append(_ child: XMLElementLayout.Child, _ cursor: FetchCursor) throws -> Bool {
        let start = output.bytes.count
        switch child {
        case .element(let element): return try append(element, cursor)
        case .list(let column, let name):
            var values: [SQLiteValue] = []
            try cursor.forEachElement(of: column) { values.append($0.value(0)) }
            for value in values { try append(element: column, name, value) }
            return output.bytes.count > start
        case .items(let items):
            var end = start
            for item in items {
                if try append(item, cursor) {
                    end = output.bytes.count
                } else {
                    output.bytes += item.beginning + "/>".utf8
                }
            }
            // Behind the last one that is there no places need to be kept.
            output.bytes.removeSubrange(end...)
            return end > start
        }
    }

    /// Passes on what was written.
    /// - Throws: what the output's sink throws.
    public mutating func flush() throws { try output.flush() }

    /// Writes the end tags around the records, and passes everything on.
    /// - Throws: what the output's sink throws.
    public mutating func end() throws {
        for name in elements.around.reversed() { output.bytes += "</\(name)>\n".utf8 }
        try output.flush()
    }

    // MARK: Values

    /// An element of a list, which are few and small: keys.
    private mutating func append(element index: Int, _ name: String, _ value: SQLiteValue) throws {
        guard !value.isNull else { return }
        let key = texts[index].style.elementKey
        let isAttribute = key?.hasPrefix("@") ?? false
        output.bytes += "<\(name)".utf8
        if let key {
            output.bytes += (isAttribute ? " \(key.dropFirst())=\"" : "><\(key)>").utf8
        } else {
            output.bytes += ">".utf8
        }
        if case .text(let bytes) = value {
            try append(text: bytes.span, of: name)
        } else {
            try texts[index].append(value, to: &output.bytes)
        }
        if let key { output.bytes += (isAttribute ? "\">" : "</\(key)>").utf8 }
        output.bytes += "</\(name)>".utf8
    }

    private mutating func append(_ statement: Statement, _ column: Int32, _ index: Int) throws {
        let storage = statement.storageClass(column)
        guard storage == .text else { return try texts[index].append(statement, column, storage, to: &output.bytes) }
        try statement.withSpan(column) { try append(text: $0, of: names[index]) }
    }

    private mutating func append(text: Span<UInt8>, of name: String) throws {
        guard (try? UTF8Span(validating: text)) != nil else {
            throw FetchError(
                .valueNotWritable(column: name, reason: "a string is not valid UTF-8, which XML must be; use CSV"))
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
                        column: name,
                        reason: "a string has a control character, which XML cannot have; use CSV or "
                            + "JSON"))
            case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
                throw FetchError(
                    .valueNotWritable(
                        column: name, reason: "a string has U+FFFE or U+FFFF, which XML cannot have; use CSV or JSON"))
            default: output.bytes.append(text[index])
            }
        }
    }
}

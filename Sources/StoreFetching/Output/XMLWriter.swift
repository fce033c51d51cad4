import SQLiteAccess
import TextEncodings

/// Writes XML: an element for each record, which contains one for each value; NULL has none, a list has one for each of
/// its elements.
public struct XMLWriter: BufferedRecordWriter {
    /// The names of the elements around the records, from the outermost inwards, and of the records.
    public struct Elements: Sendable, Hashable {
        /// The names of the elements around the records, from the outermost inwards; may be empty only for a single
        /// record.
        public var around: [String]
        /// The name of each record's element.
        public var record: String
        /// The namespaces by prefix.
        public var namespaces: [String: String] = [:]

        /// Makes a set of element names.
        public init(around: [String], record: String) {
            self.around = around
            self.record = record
        }
    }

    /// Always true: the writer supports rows that a cursor reads from pages.
    public static var takesStoredRows: Bool { true }

    private var parts: [Part]
    var output: OutputBuffer
    private let elements: Elements
    private let record: XMLElementLayout
    private let names: [String]
    private let texts: [ValueText]
    /// The simple elements by child of the record, if it contains only elements with text; otherwise nil.
    private let leaves: [Leaf]?
    /// The tags of the simple elements.
    private var tags: [UInt8] = []

    /// A simple element with text, without references that would be counted for each row.
    private struct Leaf {
        let index: Int
        let column: Int32
        /// The form of the text, one of `texts`.
        let text: Unmanaged<ValueText>
        /// The ranges in `tags` of the text before and after the value.
        let before: Range<Int>
        let behind: Range<Int>
    }

    /// Prepares to write the results of a cursor.
    /// - Parameters:
    ///   - output: receives the bytes.
    ///   - cursor: the results to write.
    ///   - elements: the names of the elements around the values.
    ///   - styles: the style of each column's values; the default style if not given.
    ///   - paths: the paths of the columns' values, adjacent if they have the same beginning; nil for elements with the
    ///     names of the columns.
    ///   - parts: related objects that are written into each record.
    /// - Throws: `FetchError` for an invalid name of an XML element.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, elements: Elements, styles: [ValueStyle] = [],
        paths: [[RecordStep]]? = nil, parts: [Part] = []
    ) throws {
        self.parts = parts
        self.output = output
        self.elements = elements
        names = cursor.columns.map(\.name)
        let texts = ValueText.texts(of: cursor, styles)
        self.texts = texts
        let record = XMLElementLayout(
            elements.record, paths: paths ?? names.map { [.name($0)] },
            lists: Set(names.indices.filter { cursor.statementColumns[$0] == nil }))
        self.record = record
        var tags: [UInt8] = []
        func range(of tag: [UInt8]) -> Range<Int> {
            tags += tag
            return tags.count - tag.count..<tags.count
        }
        let leaves = record.children.compactMap { child -> Leaf? in
            guard case .element(let element) = child, element.isLeaf, let index = element.text,
                let column = cursor.statementColumns[index]
            else { return nil }
            return Leaf(
                index: index, column: column, text: .passUnretained(texts[index]),
                before: range(of: element.beginning + [UInt8(ascii: ">")]), behind: range(of: element.end))
        }
        let hasOthers = !record.attributes.isEmpty || record.text != nil || leaves.count < record.children.count
        self.leaves = hasOthers ? nil : leaves
        self.tags = tags
        let keys = styles.compactMap(\.elementKey).map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        for name in record.names + keys + elements.around + parts.flatMap(\.names) where !Self.isName(name[...]) {
            throw FetchError(
                .valueNotWritable(
                    column: name,
                    reason: "this cannot be the name of an XML element; use another "
                        + "format"))
        }
    }

    /// Returns whether a text is a valid name of an element or attribute.
    public static func isName(_ name: Substring) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
        return name.unicodeScalars.allSatisfy(isName)
    }

    /// Returns whether a name can contain a character after its first.
    public static func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue || ".-_:".unicodeScalars.contains(scalar)
    }

    /// Writes the declaration, and the start tags around the records.
    /// - Throws: `FetchError` for a namespace that XML cannot represent.
    public mutating func begin() throws {
        output.bytes.append(text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        for (index, name) in elements.around.enumerated() {
            output.bytes += "<\(name)".utf8
            if index == 0 {
                for (prefix, uri) in elements.namespaces.sorted(by: { $0.key < $1.key }) {
                    output.bytes += " xmlns\(prefix.isEmpty ? "" : ":" + prefix)=\"".utf8
                    try append(text: Array(uri.utf8).span, of: 0, prefix)
                    output.bytes.append(UInt8(ascii: "\""))
                }
            }
            output.bytes.append(text: ">\n")
        }
    }

    /// Writes the cursor's current row as an element; false if the row is refused.
    /// - Throws: `FetchError` for a text that XML cannot represent, unless the cursor handles refusals; `SQLiteError`
    ///   if the store cannot be read; any error of the output's sink.
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
            // All share one buffer: the part's writer uses it temporarily.
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

    /// Appends the start of the record's element, and all values in it.
    private mutating func append(valuesOf cursor: FetchCursor) throws {
        if let stored = cursor.stored {
            try append(valuesOf: stored, cursor)
        } else {
            try append(valuesOf: cursor.statement, cursor)
        }
    }

    private mutating func append(valuesOf row: some RowValues, _ cursor: FetchCursor) throws {
        guard let leaves else {
            _ = try append(contentsOf: record, row, cursor)
            return
        }
        output.bytes += record.beginning
        output.bytes.append(UInt8(ascii: ">"))
        // One reference is counted for all elements of a row.
        let tags = tags
        for place in leaves.indices {
            let leaf = leaves[place]
            let storage = row.storageClass(leaf.column)
            guard storage != .null else { continue }
            output.bytes.append(copying: tags.span.extracting(leaf.before))
            if storage == .text {
                try row.withBytes(of: leaf.column) { try append(text: $0, of: leaf.index) }
            } else {
                try leaf.text._withUnsafeGuaranteedRef {
                    try $0.append(row, leaf.column, storage, to: &output.bytes)
                }
            }
            output.bytes.append(copying: tags.span.extracting(leaf.behind))
        }
    }

    /// Appends an element with its content; returns false, and appends nothing, if it has no content.
    private mutating func append(
        _ element: XMLElementLayout, _ row: some RowValues, _ cursor: FetchCursor
    ) throws -> Bool {
        if element.isLeaf, element.text.map({ isNull($0, row, cursor) }) ?? true { return false }
        let start = output.bytes.count
        guard try append(contentsOf: element, row, cursor) else {
            output.bytes.removeSubrange(start...)
            return false
        }
        output.bytes += element.end
        return true
    }

    private func isNull(_ index: Int, _ row: some RowValues, _ cursor: FetchCursor) -> Bool {
        cursor.statementColumns[index].map { row.storageClass($0) == .null } ?? true
    }

    private mutating func append(
        contentsOf element: XMLElementLayout, _ row: some RowValues, _ cursor: FetchCursor
    ) throws -> Bool {
        output.bytes += element.beginning
        var isThere = false
        for (_, beginning, index) in element.attributes where !isNull(index, row, cursor) {
            output.bytes += beginning
            try append(index, of: row, cursor)
            output.bytes.append(UInt8(ascii: "\""))
            isThere = true
        }
        output.bytes.append(UInt8(ascii: ">"))
        if let index = element.text, !isNull(index, row, cursor) {
            try append(index, of: row, cursor)
            isThere = true
        }
        for child in element.children where try append(child, row, cursor) { isThere = true }
        return isThere
    }

    private mutating func append(
        _ child: XMLElementLayout.Child, _ row: some RowValues, _ cursor: FetchCursor
    ) throws -> Bool {
        let start = output.bytes.count
        switch child {
        case .element(let element): return try append(element, row, cursor)
        case .list(let column, let name):
            var values: [SQLiteValue] = []
            try cursor.forEachElement(of: column) { values.append($0.value(0)) }
            for value in values { try append(element: column, name, value) }
            return output.bytes.count > start
        case .items(let items):
            var end = start
            for item in items {
                if try append(item, row, cursor) {
                    end = output.bytes.count
                } else {
                    output.bytes += item.beginning + "/>".utf8
                }
            }
            // Empty elements after the last one with content are not needed.
            output.bytes.removeSubrange(end...)
            return end > start
        }
    }

    /// Passes pending output to the sink.
    /// - Throws: any error of the output's sink.
    public mutating func flush() throws { try output.flush() }

    /// Writes the end tags around the records, and passes everything on.
    /// - Throws: any error of the output's sink.
    public mutating func end() throws {
        for name in elements.around.reversed() { output.bytes += "</\(name)>\n".utf8 }
        try output.flush()
    }

    // MARK: Values

    /// Appends an element of a list; such elements, keys, are few and small.
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
            try append(text: bytes.span, of: index, name)
        } else {
            try texts[index].append(value, to: &output.bytes)
        }
        if let key { output.bytes += (isAttribute ? "\">" : "</\(key)>").utf8 }
        output.bytes += "</\(name)>".utf8
    }

    private mutating func append(_ index: Int, of row: some RowValues, _ cursor: FetchCursor) throws {
        guard let column = cursor.statementColumns[index] else { return }
        let storage = row.storageClass(column)
        guard storage == .text else { return try texts[index].append(row, column, storage, to: &output.bytes) }
        try row.withBytes(of: column) { try append(text: $0, of: index) }
    }

    /// - Parameter name: the name for errors, if it is not that of the column.
    private mutating func append(text: Span<UInt8>, of index: Int, _ name: String? = nil) throws {
        guard (try? UTF8Span(validating: text)) != nil else {
            throw FetchError(
                .valueNotWritable(
                    column: name ?? names[index],
                    reason: "a string is not valid UTF-8, which XML must be; use CSV"))
        }
        // Characters that need no escaping are copied in one piece.
        var start = 0
        for place in text.indices {
            let byte = text[place]
            guard
                byte < 0x20 || byte == 0xEF || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
                    || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\"")
            else { continue }
            // Some scripts' letters begin with this byte; two characters that begin with it are not allowed in XML.
            if byte == 0xEF {
                guard place + 2 < text.count, text[place + 1] == 0xBF, text[place + 2] >= 0xBE else { continue }
                throw FetchError(
                    .valueNotWritable(
                        column: name ?? names[index],
                        reason: "a string has U+FFFE or U+FFFF, which XML cannot have; use CSV or JSON"))
            }
            output.bytes.append(copying: text.extracting(start..<place))
            start = place + 1
            switch byte {
            case UInt8(ascii: "<"): output.bytes.append(text: "&lt;")
            case UInt8(ascii: ">"): output.bytes.append(text: "&gt;")
            case UInt8(ascii: "&"): output.bytes.append(text: "&amp;")
            case UInt8(ascii: "\""): output.bytes.append(text: "&quot;")
            // A reader would replace them by spaces or line feeds.
            case 13: output.bytes.append(text: "&#13;")
            case 10: output.bytes.append(text: "&#10;")
            case 9: output.bytes.append(text: "&#9;")
            default:
                throw FetchError(
                    .valueNotWritable(
                        column: name ?? names[index],
                        reason: "a string has a control character, which XML cannot have; use CSV or "
                            + "JSON"))
            }
        }
        output.bytes.append(copying: text.extracting(start..<text.count))
    }
}

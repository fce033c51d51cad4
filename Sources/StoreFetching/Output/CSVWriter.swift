import SQLiteAccess
import SQLiteFileBuilder
import TextEncodings

/// Writes CSV: NULL is an empty field, the empty text is `""`.
///
/// A record of a single NULL is `\N`, since an empty line would not be a record. Lists are JSON arrays, or joined by a
/// separator.
public struct CSVWriter: BufferedRecordWriter {
    /// The syntax of fields.
    public struct Dialect: Sendable, Hashable {
        /// The byte between fields; a comma by default.
        public var delimiter = UInt8(ascii: ",")
        /// The byte around fields that need it; a double quotation mark by default.
        public var quote = UInt8(ascii: "\"")
        /// The byte before a quote, and before itself, in quoted fields; nil if quotes are doubled.
        public var escape: UInt8?
        /// Whether the first line has the names of the columns.
        public var hasHeader = true
        /// Whether texts must be valid UTF-8, as imports require.
        public var isValidated = false
        /// The separator of lists; nil for a JSON array.
        public var listSeparator: String?
        /// Texts that a reader takes for NULL unless they are quoted; the first one represents NULL in records with one
        /// column.
        public var nullTokens = ["\\N"]

        /// Makes RFC 4180's dialect, with a header.
        public init() {}
    }

    /// Always true: the writer supports rows that a cursor reads from pages.
    public static var takesStoredRows: Bool { true }

    var output: OutputBuffer
    private let dialect: Dialect
    private let columns: [FetchedColumn]
    private let names: [String]
    private let texts: [ValueText]
    private let fields: [Field]
    private let special: SpecialBytes
    private let nullTokens: [[UInt8]]
    /// Whether a NULL token begins with a byte.
    private let startsToken: [Bool]

    /// Prepares to write the results of a cursor.
    /// - Parameters:
    ///   - output: receives the bytes.
    ///   - cursor: the results to write.
    ///   - dialect: the syntax of fields.
    ///   - styles: the style of each column's values; the default style if not given.
    ///   - names: the column names in the header; nil for the columns' own names.
    public init(
        _ output: OutputBuffer, for cursor: FetchCursor, dialect: Dialect = Dialect(), styles: [ValueStyle] = [],
        names: [String]? = nil
    ) {
        self.output = output
        self.dialect = dialect
        self.names = names ?? cursor.columns.map(\.name)
        columns = cursor.columns
        texts = ValueText.texts(of: cursor, styles)
        let special = SpecialBytes(dialect.delimiter, dialect.quote, dialect.escape)
        self.special = special
        fields = zip(cursor.statementColumns, texts).map { Field($0, $1, special) }
        let tokens = dialect.nullTokens.map { Array($0.utf8) }.filter { !$0.isEmpty }
        nullTokens = tokens
        startsToken = (0..<256).map { byte in tokens.contains { Int($0[0]) == byte } }
    }

    /// The location of a column's values, and which of them can be written without consulting their style.
    private struct Field {
        enum Reals { case real, single, decimal, date, styled }

        let column: Int32
        /// One of `texts`, which retains it.
        let text: Unmanaged<ValueText>
        let isList: Bool
        let hasPlainIntegers: Bool
        let hasPlainUUIDs: Bool
        let reals: Reals

        init(_ column: Int32?, _ text: ValueText, _ special: SpecialBytes) {
            self.column = column ?? 0
            self.text = .passUnretained(text)
            isList = column == nil
            let style = text.style
            let isWord = style.yes != "1" || style.no != "0" || "-0123456789".utf8.contains(where: special.contains)
            hasPlainIntegers =
                switch text.form {
                case .boolean: !isWord
                case .date, .real, .single: false
                default: !text.mayNeedQuotes
                }
            hasPlainUUIDs = text.form == .uuid && !text.mayNeedQuotes
            reals =
                switch text.form {
                case _ where text.mayNeedQuotes: .styled
                case .real: .real
                case .single: .single
                case .decimal: .decimal
                case .date where style.dates == .iso8601: .date
                default: .styled
                }
        }
    }

    /// Writes the header, if the dialect has one.
    /// - Throws: nothing; other writers may throw.
    public mutating func begin() throws {
        guard dialect.hasHeader else { return }
        for (index, name) in names.enumerated() {
            if index > 0 { output.bytes.append(dialect.delimiter) }
            append(text: Array(name.utf8).span)
        }
        output.bytes.append(10)
    }

    /// Writes the cursor's current row as a record; false if the row is refused.
    /// - Throws: `FetchError` for a value that cannot be written as text, unless the cursor handles refusals;
    ///   `SQLiteError` if the store cannot be read; any error of the output's sink.
    public mutating func write(_ cursor: FetchCursor) throws -> Bool {
        guard try append(cursor, { try $0.append(fieldsOf: cursor) }) else { return false }
        output.bytes.append(10)
        try output.flushIfFull()
        return true
    }

    private mutating func append(fieldsOf cursor: FetchCursor) throws {
        let start = output.bytes.count
        // For a row that is read from pages, no reference is counted per field.
        if let stored = cursor.stored {
            for index in fields.indices { try append(index, of: stored) }
        } else {
            let statement = cursor.statement
            for index in fields.indices {
                guard fields[index].isList else {
                    try append(index, of: statement)
                    continue
                }
                appendDelimiter(before: index)
                try append(list: index, of: cursor)
            }
        }
        if output.bytes.count == start { output.bytes += nullTokens.first ?? [dialect.quote, dialect.quote] }
    }

    private mutating func appendDelimiter(before index: Int) {
        if index > 0 { output.bytes.append(dialect.delimiter) }
    }

    private mutating func append(_ index: Int, of row: TableRows) throws {
        appendDelimiter(before: index)
        let field = fields[index]
        switch row.value(field.column) {
        case .null: break
        case .text(let place): try row.withRecord(place) { try append(text: $0, of: index) }
        case .integer(let number) where field.hasPlainIntegers: output.bytes.append(integer: number)
        case .real(let number) where append(real: number, field.reals): break
        case .blob(let place) where field.hasPlainUUIDs && place.count == 16:
            row.withRecord(place) { output.bytes.append(uuid: $0) }
        case .integer: try append(row, field, .integer)
        case .real: try append(row, field, .real)
        case .blob: try append(row, field, .blob)
        }
    }

    private mutating func append(_ index: Int, of row: Statement) throws {
        appendDelimiter(before: index)
        let field = fields[index]
        try row.withValue(field.column) { value in
            switch value.storageClass {
            case .null: break
            case .text: try value.withSpan(ofBlob: false) { try append(text: $0, of: index) }
            case .integer where field.hasPlainIntegers: output.bytes.append(integer: value.integer)
            case .real where append(real: value.real, field.reals): break
            case let storage: try append(row, field, storage)
            }
        }
    }

    /// Appends a text of a column, which must be valid UTF-8 for imports.
    private mutating func append(text: Span<UInt8>, of index: Int) throws {
        if dialect.isValidated, (try? UTF8Span(validating: text)) == nil {
            throw FetchError(
                .valueNotWritable(
                    column: columns[index].name, reason: "a string is not valid UTF-8, and no import takes it"))
        }
        append(text: text)
    }

    /// Appends a real that can be written without consulting its style; otherwise returns false, and appends nothing.
    private mutating func append(real: Double, _ form: Field.Reals) -> Bool {
        switch form {
        case .real: output.bytes.append(real: real)
        case .single:
            guard Double(Float(real)) == real else { return false }
            output.bytes.append(single: Float(real))
        case .decimal: output.bytes.append(real: real, wholeEnding: false)
        case .date: return output.bytes.append(date: real)
        case .styled: return false
        }
        return true
    }

    /// Passes pending output to the sink.
    /// - Throws: any error of the output's sink.
    public mutating func flush() throws { try output.flush() }

    /// Passes pending output to the sink: nothing follows the last record.
    /// - Throws: any error of the output's sink.
    public mutating func end() throws { try flush() }

    /// Appends a number or binary value; quoted if the separators of numbers are also those of fields.
    private mutating func append(_ row: some RowValues, _ field: Field, _ storage: StorageClass) throws {
        let start = output.bytes.count
        let mayNeedQuotes = try field.text._withUnsafeGuaranteedRef { text in
            try text.append(row, field.column, storage, to: &output.bytes)
            return text.mayNeedQuotes
        }
        // A value without bytes is empty, and not NULL.
        guard output.bytes.count > start else { return output.bytes += [dialect.quote, dialect.quote] }
        guard mayNeedQuotes, output.bytes[start...].contains(where: special.contains) else { return }
        let plain = Array(output.bytes[start...])
        output.bytes.removeLast(plain.count)
        append(text: plain.span)
    }

    private mutating func append(text: Span<UInt8>) {
        // A text that equals a NULL token is quoted.
        let needsQuotes = text.count == 0 || startsToken[Int(text[0])] && isToken(text) || special.isAny(in: text)
        guard needsQuotes else { return output.bytes.append(copying: text) }
        output.bytes.append(dialect.quote)
        for index in text.indices {
            if let escape = dialect.escape {
                if text[index] == dialect.quote || text[index] == escape { output.bytes.append(escape) }
            } else if text[index] == dialect.quote {
                output.bytes.append(dialect.quote)
            }
            output.bytes.append(text[index])
        }
        output.bytes.append(dialect.quote)
    }

    private func isToken(_ text: Span<UInt8>) -> Bool {
        nullTokens.contains { token in token.count == text.count && token.indices.allSatisfy { token[$0] == text[$0] } }
    }

    // MARK: Lists

    private mutating func append(list index: Int, of cursor: FetchCursor) throws {
        var bytes: [UInt8] = []
        if let separator = dialect.listSeparator {
            var isFirst = true
            try cursor.forEachElement(of: index) { element in
                if !isFirst { bytes += separator.utf8 }
                isFirst = false
                let start = bytes.count
                switch element.storageClass(0) {
                case .null: break
                case .text: element.withSpan(0) { bytes.append(copying: $0) }
                case let storage: try texts[index].append(element, 0, storage, to: &bytes)
                }
                let value = bytes[start...]
                guard !value.isEmpty, !value.contains(separator) else {
                    throw FetchError(
                        .valueNotWritable(
                            column: columns[index].name,
                            reason:
                                "an element is empty or has the separator \(separator.debugDescription) of lists in "
                                + "it; choose another separator or format"))
                }
            }
            guard !bytes.isEmpty else { return }
        } else {
            try JSONValueWriter(texts[index]).append(list: index, of: cursor, to: &bytes)
        }
        append(text: bytes.span)
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether the bytes of a text are among these.
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return false }
        return indices.contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}

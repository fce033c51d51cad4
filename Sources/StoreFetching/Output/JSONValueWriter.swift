public import SQLiteAccess
import TextEncodings

/// Appends a value as JSON to a buffer: numbers as numbers, and dates, UUIDs and binary data as strings.
struct JSONValueWriter {
    let text: ValueText

    init(_ text: ValueText) {
        // Numbers in JSON have a decimal point.
        self.text = text.style.decimalSeparator == UInt8(ascii: ".") ? text : text.withPoint
    }

    func append(_ row: some RowValues, _ column: Int32, to bytes: inout [UInt8]) throws {
        try Self.append(row, column, text, to: &bytes)
    }

    /// Appends a value, without counting a reference to the text's form for each value.
    @inline(__always)
    static func append(
        _ row: some RowValues, _ column: Int32, _ text: ValueText, to bytes: inout [UInt8]
    ) throws {
        switch row.storageClass(column) {
        case .null: bytes.append(text: "null")
        case .text where text.form == .json: row.withBytes(of: column) { bytes.append(copying: $0) }
        case .text:
            // Decimals that are stored as exact text are numbers in JSON, too.
            if text.form == .decimal, row.bytes(column) != Array("NaN".utf8) {
                row.withBytes(of: column) { bytes.append(copying: $0) }
            } else {
                try row.withBytes(of: column) { try append(string: $0, of: text.name, to: &bytes) }
            }
        case .integer: try append(integer: row.integer(column), text, to: &bytes)
        case .real: try append(real: row.real(column), text, to: &bytes)
        case .blob:
            // These values contain no characters that JSON has to escape.
            bytes.append(UInt8(ascii: "\""))
            try text.append(row, column, .blob, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    static func append(integer value: Int64, _ text: ValueText, to bytes: inout [UInt8]) throws {
        if text.form == .boolean, value == 0 || value == 1 {
            bytes.append(text: value == 0 ? "false" : "true")
        } else {
            // A date's text has none either.
            if text.form == .date { bytes.append(UInt8(ascii: "\"")) }
            try text.append(integer: value, to: &bytes)
            if text.form == .date { bytes.append(UInt8(ascii: "\"")) }
        }
    }

    static func append(real value: Double, _ text: ValueText, to bytes: inout [UInt8]) throws {
        let isText = !isNumber(value, text)
        if isText { bytes.append(UInt8(ascii: "\"")) }
        try text.append(real: value, to: &bytes)
        if isText { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Returns whether a value is a number in JSON, which has no infinite numbers.
    private static func isNumber(_ value: Double, _ text: ValueText) -> Bool {
        value.isFinite && (text.form != .date || text.style.dates != .iso8601)
    }

    func append(list index: Int, of cursor: FetchCursor, to bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        try cursor.forEachElement(of: index) { element in
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            if let key = text.style.elementKey {
                bytes.append(UInt8(ascii: "{"))
                try Self.append(string: Array(key.utf8).span, of: text.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
            }
            try append(element, 0, to: &bytes)
            if text.style.elementKey != nil { bytes.append(UInt8(ascii: "}")) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    static func append(string: Span<UInt8>, of name: String, to bytes: inout [UInt8]) throws {
        guard (try? UTF8Span(validating: string)) != nil else {
            throw FetchError(
                .valueNotWritable(column: name, reason: "a string is not valid UTF-8, which JSON must be; use CSV"))
        }
        bytes.append(json: string)
    }

    /// Appends the key of a value: `"name":`.
    static func append(key name: String, to bytes: inout [UInt8]) throws {
        try append(string: Array(name.utf8).span, of: name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}

extension ValueText {
    /// Returns a value as JSON.
    /// - Throws: `FetchError` for a value that JSON cannot represent, such as a text that is not UTF-8;
    ///   `ExternalDataError` for a file that is missing.
    public func json(of statement: Statement, _ column: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try JSONValueWriter(self).append(statement, column, to: &bytes)
        return bytes
    }

    /// Returns a form for each column, with the column's style or the default.
    static func texts(of cursor: FetchCursor, _ styles: [ValueStyle]) -> [ValueText] {
        cursor.columns.enumerated().map { index, column in
            ValueText(
                form: column.form, style: index < styles.count ? styles[index] : ValueStyle(),
                externalData: cursor.externalData, name: column.name)
        }
    }

    /// Whether a number or date may contain a character that separates fields.
    var mayNeedQuotes: Bool { style.decimalSeparator != UInt8(ascii: ".") || form == .boolean }
}

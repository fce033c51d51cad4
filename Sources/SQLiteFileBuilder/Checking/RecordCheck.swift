internal import SQLiteAccess

/// Checks a record of a table against the columns of the table ("Database File Format", section 2.1).
struct RecordCheck {
    private let columns: [TreeShape.Column]
    private let encoding: DatabaseFile.TextEncoding
    /// The kinds of value that each column excludes. Most values are accepted without looking at the column itself.
    private let exclusions: [Exclusions]

    private struct Exclusions: OptionSet {
        let rawValue: UInt8
        static let null = Exclusions(rawValue: 1)
        static let numbers = Exclusions(rawValue: 2)
        /// Texts that look like numbers.
        static let texts = Exclusions(rawValue: 4)
    }

    /// The smallest number of values that a record has: up to the last column that is NOT NULL and has no default.
    let fewest: Int

    init(columns: [TreeShape.Column], encoding: DatabaseFile.TextEncoding) {
        self.columns = columns
        self.encoding = encoding
        fewest = (columns.lastIndex { $0.isNotNull && !$0.hasDefault } ?? -1) + 1
        exclusions = columns.map { column in
            let values: Exclusions =
                switch column.affinity {
                case .blob: []
                case .text: .numbers
                case .numeric, .integer, .real: .texts
                }
            return column.isNotNull ? values.union(.null) : values
        }
    }

    /// Returns a description of the fault in a record; nil if the record is sound.
    ///
    /// - Parameters:
    ///   - bytes: the record, or its beginning.
    ///   - size: the number of bytes of the whole record.
    ///   - places: receives the places of the first values.
    func fault(of bytes: Span<UInt8>, size: Int, _ places: inout ValuePlaces) -> String? {
        places.begin()
        guard let (declared, first) = bytes.varint(at: 0, before: bytes.count), declared <= UInt64(size),
            declared >= UInt64(first)
        else { return "its record has no header" }
        let headerSize = Int(declared)
        guard headerSize <= bytes.count else { return "its record has a header of \(headerSize) bytes" }
        var offset = first
        var content = headerSize
        var column = 0
        while offset < headerSize {
            guard let (type, end) = bytes.varint(at: offset, before: headerSize) else {
                return "the header of its record is cut short"
            }
            offset = end
            guard type < 10 || type > 11 && type < UInt64(size) &* 2 &+ 14 else {
                return "its record has a value of the unknown type \(type)"
            }
            let length = SerialType.length(type)
            if column < exclusions.count, !exclusions[column].isDisjoint(with: Self.exclusion(of: type)),
                let fault = fault(column, type, bytes, content..<content + length)
            {
                return fault
            }
            places.add(type, at: content)
            content += length
            column += 1
        }
        guard column >= fewest else { return "\(columns[fewest - 1].name) is NULL" }
        return content == size ? nil : "its record has \(size) bytes, and values for \(content)"
    }

    /// Returns the exclusion that applies to values of a type.
    @inline(__always)
    private static func exclusion(of type: UInt64) -> Exclusions {
        if type == SerialType.null { return .null }
        if type < 10 { return .numbers }
        return SerialType.isText(type) ? .texts : []
    }

    @inline(never)
    private func fault(_ index: Int, _ type: UInt64, _ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
        let column = columns[index]
        if type == SerialType.null { return column.isNotNull ? "\(column.name) is NULL" : nil }
        switch column.affinity {
        case .blob: return nil
        case .text: return type < 10 ? "\(column.name) has a number, but the column stores text" : nil
        case .numeric, .integer, .real:
            guard SerialType.isText(type), range.upperBound <= bytes.count,
                isNumber(bytes.extracting(range))
            else { return nil }
            return "\(column.name) has a number as text, but the column stores numbers"
        }
    }

    private func isNumber(_ text: Span<UInt8>) -> Bool {
        encoding == .utf8 ? Self.isNumber(utf8: text) : Self.isNumber(utf8: encoding.utf8(text).span)
    }

    /// Returns whether SQLite would read a text as a number: white space around a sign, digits, a point and an
    /// exponent.
    private static func isNumber(utf8 text: Span<UInt8>) -> Bool {
        var index = 0
        var end = text.count
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        func skipDigits() -> Int {
            let start = index
            while index < end, (0x30...0x39).contains(text[index]) { index += 1 }
            return index - start
        }
        while index < end, isSpace(text[index]) { index += 1 }
        while end > index, isSpace(text[end - 1]) { end -= 1 }
        if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
        var digits = skipDigits()
        if index < end, text[index] == UInt8(ascii: ".") {
            index += 1
            digits += skipDigits()
        }
        guard digits > 0 else { return false }
        if index < end, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
            guard skipDigits() > 0 else { return false }
        }
        return index == end
    }
}

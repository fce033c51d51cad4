/// What makes a record unreadable as it stands; such a record is rejected, and the next ones go on.
public struct RecordProblem: Equatable, Sendable {
    /// What makes a record unreadable.
    public enum Code: UInt8, Equatable, Sendable {
        /// Fewer fields than the source has columns.
        case tooFewFields
        /// More fields than the source has columns.
        case tooManyFields
        /// Text after a closing quote, or a quote in an unquoted field where that is not allowed.
        case strayQuote
        /// A quote that is never closed: the record holds all the rest of the source.
        case unclosedQuote
        /// A JSON value that is never closed: it holds all the rest of the source.
        case unclosedValue
        /// More bytes than a record may have: it was not kept.
        case tooLarge
        /// Bytes that are not text in the source's encoding.
        case undecodable
        /// Not well-formed JSON.
        case malformed
        /// Objects and arrays nested more deeply than allowed.
        case tooDeep
        /// More values in one record than allowed.
        case tooManyValues
        /// The same key twice in one JSON object.
        case duplicateKey
        /// An escape for half of a surrogate pair.
        case loneSurrogate
        /// A record that is not an object where an object is needed.
        case notAnObject
        /// A cell has a formula and no value: no program has computed it.
        case formulaWithoutValue
    }

    /// What is wrong.
    public var code: Code
    /// Where the problem lies, in bytes of decoded text from the record's first byte.
    public var offset: Int
    /// The line where the problem lies, counted from 1.
    public var line: Int
    /// The number of fields found, where the number is the problem; the number of a column, where its cell is.
    public var fieldCount: Int
    /// The size of a record that is too large, in bytes; 0 if it is not known, and for other problems.
    public private(set) var byteCount = 0
    /// The bytes that a record may have, if it is too large; else 0.
    public private(set) var limit = 0

    /// Makes a problem of a place in the record.
    public init(_ code: Code, offset: Int = 0, line: Int, fieldCount: Int = 0) {
        self.code = code
        self.offset = offset
        self.line = line
        self.fieldCount = fieldCount
    }

    /// A record of more bytes than one may have.
    init(tooLarge byteCount: Int, limit: Int, line: Int) {
        self.init(.tooLarge, line: line)
        self.byteCount = byteCount
        self.limit = limit
    }

    /// What is wrong and what to do, without the place.
    public var sentence: String {
        switch code {
        case .tooFewFields:
            "the record has only \(fieldCount) field\(fieldCount == 1 ? "" : "s"); add the missing ones, "
                + "or say \"ragged: true\" in a mapping"
        case .tooManyFields:
            "the record has \(fieldCount) fields, too many; quote the delimiters in its values, or say "
                + "\"ragged: true\" in a mapping"
        case .strayQuote: "a quote is inside a value; double it, or say \"quote: none\" in a mapping"
        case .unclosedQuote: "the quote that opens in line \(line) is never closed; close it"
        case .unclosedValue: "the value that begins in line \(line) is never closed; close its brackets and quotes"
        case .tooLarge:
            "the record has \(byteCount > 0 ? "\(byteCount) bytes, more than" : "more bytes than") the \(limit) that one may "
                + "have, and is not among the rejected records; allow more (--max-record-size), or split it"
        case .undecodable:
            "the bytes are not valid in the encoding of the source; name the \"encoding\" in a mapping, or correct them"
        case .malformed: "the record is not well-formed"
        case .tooDeep: "the record nests its values too deeply"
        case .tooManyValues: "the record has too many values"
        case .duplicateKey: "a key occurs twice in one object; remove one of them"
        case .loneSurrogate: "an escape stands for half a character; give both halves of the surrogate pair"
        case .formulaWithoutValue:
            "the formula in column \(fieldCount) has no value; open the file in a spreadsheet program, and save it"
        case .notAnObject: "the record is not an object; records have named values"
        }
    }
}

/// What makes a record unreadable as it stands; such a record is rejected, and the next ones go on.
public struct RecordProblem: Hashable, Sendable {
    /// What makes a record unreadable.
    public enum Code: UInt8, Hashable, Sendable {
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
    package init(tooLarge byteCount: Int, limit: Int, line: Int) {
        self.init(.tooLarge, line: line)
        self.byteCount = byteCount
        self.limit = limit
    }
}

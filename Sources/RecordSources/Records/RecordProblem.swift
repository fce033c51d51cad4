/// A reason why a record cannot be read. The record is rejected, and reading continues with the next one.
public struct RecordProblem: Hashable, Sendable {
    /// The kind of problem.
    public enum Code: UInt8, Hashable, Sendable {
        /// The record has fewer fields than the source has columns.
        case tooFewFields
        /// The record has more fields than the source has columns.
        case tooManyFields
        /// There is text after a closing quote, or a quote in an unquoted field where that is not allowed.
        case strayQuote
        /// A quote is never closed, so that the record extends to the end of the source.
        case unclosedQuote
        /// A JSON value is never closed, so that it extends to the end of the source.
        case unclosedValue
        /// The record exceeds the size limit, and was not kept.
        case tooLarge
        /// Some bytes are not text in the source's encoding.
        case undecodable
        /// The record is not well-formed JSON.
        case malformed
        /// Objects and arrays are nested more deeply than allowed.
        case tooDeep
        /// The record has more values than allowed.
        case tooManyValues
        /// A JSON object has a repeated key.
        case duplicateKey
        /// An escape stands for half of a surrogate pair.
        case loneSurrogate
        /// The record is not an object although one is required.
        case notAnObject
        /// A cell has a formula but no value, because no program has computed it.
        case formulaWithoutValue
    }

    /// The kind of problem.
    public var code: Code
    /// The place of the problem, as an offset in the record's decoded text.
    public var offset: Int
    /// The line of the problem, counted from 1.
    public var line: Int
    /// The number of fields, if it is wrong; the number of the column, if the problem is in a cell.
    public var fieldCount: Int
    /// The size in bytes of a record that is too large; 0 if it is not known, and for other problems.
    public private(set) var byteCount = 0
    /// The size limit in bytes, if the record is too large; otherwise 0.
    public private(set) var limit = 0

    /// Creates a problem at a place in the record.
    public init(_ code: Code, offset: Int = 0, line: Int, fieldCount: Int = 0) {
        self.code = code
        self.offset = offset
        self.line = line
        self.fieldCount = fieldCount
    }

    /// Creates the problem of a record that exceeds the size limit.
    package init(tooLarge byteCount: Int, limit: Int, line: Int) {
        self.init(.tooLarge, line: line)
        self.byteCount = byteCount
        self.limit = limit
    }
}

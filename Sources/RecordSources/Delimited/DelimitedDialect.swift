/// The complete description of how a delimited file is written.
public struct DelimitedDialect: Equatable, Sendable {
    /// The line ends that end a record.
    public enum Newline: String, CaseIterable, Equatable, Sendable, Codable {
        /// LF, CRLF or CR; they may be mixed.
        case any
        /// LF or CRLF; a CR elsewhere is data.
        case lineFeed
        /// CR alone; LF is data.
        case carriageReturn
    }

    /// How quotes are handled in places where RFC 4180 does not allow them.
    public enum StrayQuotes: String, CaseIterable, Equatable, Sendable, Codable {
        /// A quote in an unquoted field is data (`6" pipe`); text after a closing quote rejects the record.
        case literalOutside
        /// Such a quote rejects the record.
        case reject
        /// Such a quote is data: only a quote before a delimiter or line end closes a field.
        case literal
    }

    /// How empty lines are handled.
    public enum EmptyLines: String, CaseIterable, Equatable, Sendable, Codable {
        /// They are records if the source has one column, and are skipped otherwise.
        case automatic
        /// They are skipped.
        case skip
        /// They are records with one empty field.
        case keep
    }

    /// The bytes between two fields, in UTF-8; usually a single byte.
    public var delimiter: [UInt8]
    /// The quote; nil if quotes are data.
    public var quote: UInt8?
    /// A byte that makes the next byte data, in addition to doubled quotes; nil if there is no such byte.
    public var escape: UInt8?
    /// Whether two quotes inside a quoted field stand for one quote in the value.
    public var doublesQuotes = true
    /// The line ends that end a record.
    public var newline = Newline.any
    /// How quotes are handled in places where RFC 4180 does not allow them.
    public var strayQuotes = StrayQuotes.literalOutside
    /// How empty lines are handled.
    public var emptyLines = EmptyLines.automatic
    /// A byte that marks a line as a comment if the line begins with it; nil if there are no comments.
    public var comment: UInt8?
    /// Whether spaces before an opening quote are ignored.
    public var skipsSpaceBeforeQuote = false
    /// Whether the first line contains the names of the columns.
    public var hasHeader: Bool
    /// Whether records with fewer fields than columns are accepted, as if the missing fields were absent.
    public var allowsShortRecords = false
    /// Whether records with more fields than columns are accepted; the additional fields belong to no column.
    public var allowsLongRecords = false
    /// The encoding of the file.
    public var encoding: TextEncoding

    /// Creates a dialect; by default, the one of RFC 4180 in UTF-8.
    public init(
        delimiter: String = ",", quote: UInt8? = UInt8(ascii: "\""), escape: UInt8? = nil, hasHeader: Bool = true,
        encoding: TextEncoding = .utf8
    ) {
        self.delimiter = Array(delimiter.utf8)
        self.quote = quote
        self.escape = escape
        self.hasHeader = hasHeader
        self.encoding = encoding
    }
}

/// How a delimited file is written, with nothing left to find out.
public struct DelimitedDialect: Equatable, Sendable {
    /// What ends a record.
    public enum Newline: String, CaseIterable, Equatable, Sendable, Codable {
        /// LF, CRLF or CR, each of them anywhere.
        case any
        /// LF, also after a CR; a CR elsewhere is data.
        case lineFeed
        /// CR alone; LF is data.
        case carriageReturn
    }

    /// What is done with quotes where RFC 4180 has none.
    public enum StrayQuotes: String, CaseIterable, Equatable, Sendable, Codable {
        /// A quote in an unquoted field is data (`6" pipe`); text after a closing quote rejects the record.
        case literalOutside
        /// Every such quote rejects the record.
        case reject
        /// Every such quote is data: only a quote before a delimiter or line end closes a field.
        case literal
    }

    /// What is done with lines that have nothing in them.
    public enum EmptyLines: String, CaseIterable, Equatable, Sendable, Codable {
        /// They are records where the source has one column, and nothing elsewhere.
        case automatic
        /// They are left out.
        case skip
        /// They are records with one empty field.
        case keep
    }

    /// The bytes between two fields, in UTF-8; usually one.
    public var delimiter: [UInt8]
    /// The quote; nil if quotes are data.
    public var quote: UInt8?
    /// A byte that makes the next one data, besides doubled quotes; nil if there is none.
    public var escape: UInt8?
    /// Whether two quotes inside a quoted field are one quote of the value.
    public var doublesQuotes = true
    /// What ends a record.
    public var newline = Newline.any
    /// What is done with quotes where RFC 4180 has none.
    public var strayQuotes = StrayQuotes.literalOutside
    /// What is done with lines that have nothing in them.
    public var emptyLines = EmptyLines.automatic
    /// A byte that makes a line a comment where it is the first; nil if no line is one.
    public var comment: UInt8?
    /// Whether spaces before an opening quote are left out.
    public var skipsSpaceBeforeQuote = false
    /// Whether the first line has the names of the columns.
    public var hasHeader: Bool
    /// Whether records with fewer fields than columns are read, as if the fields were absent.
    public var allowsShortRecords = false
    /// Whether records with more fields than columns are read; the additional fields have no column.
    public var allowsLongRecords = false
    /// The encoding of the file.
    public var encoding: TextEncoding

    /// Makes a dialect; without arguments that of RFC 4180, in UTF-8.
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

/// What is known beforehand of a delimited file; what is nil is found out from its first lines.
public struct DelimitedOptions: Equatable, Sendable {
    /// The text between two fields: any, of one character or more, without a line end.
    public var delimiter: String?
    /// The quote: `.some(nil)` where the file has none.
    public var quote: UInt8??
    /// The byte that escapes the next: `.some(nil)` where the file has none.
    public var escape: UInt8??
    /// Whether two quotes inside a quoted field are one quote of the value.
    public var doublesQuotes: Bool?
    /// What ends a record.
    public var newline: DelimitedDialect.Newline?
    /// Whether the first line has the names of the columns.
    public var hasHeader: Bool?
    /// How many lines come before the header.
    public var skippedLines = 0
    /// The encoding of the file.
    public var encoding: TextEncoding?
    /// Whether spaces before an opening quote are left out.
    public var skipsSpaceBeforeQuote: Bool?
    /// The number of columns; nil for that of the header, else of the first record.
    public var columnCount: Int?
    /// A byte that makes a line a comment where it is the first; nil if no line is one.
    public var comment: UInt8?
    /// What is done with quotes where RFC 4180 has none.
    public var strayQuotes = DelimitedDialect.StrayQuotes.literalOutside
    /// What is done with lines that have nothing in them.
    public var emptyLines = DelimitedDialect.EmptyLines.automatic
    /// Whether records with fewer fields than columns are read, as if the fields were absent.
    public var allowsShortRecords = false
    /// Whether records with more fields than columns are read; the additional fields have no column.
    public var allowsLongRecords = false
    /// The largest record, in bytes: more is an error, so that a forgotten quote cannot fill the memory.
    public var largestRecord = DelimitedOptions.defaultLargestRecord

    /// 16 MiB: eight times the longest lines that are known from real files, and within the memory of a run.
    public static let defaultLargestRecord = 16 << 20

    /// Makes options that say nothing: all is found out.
    public init() {}

    /// Throws if the options cannot be meant.
    func validate(for source: String) throws(SourceError) {
        if let delimiter {
            let bytes = Array(delimiter.utf8)
            guard !bytes.isEmpty, !bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
                throw SourceError(
                    .invalidOption(name: "the delimiter", value: delimiter, expected: "a text without line end"),
                    in: source)
            }
            if let quote, let quote, bytes.contains(quote) {
                throw SourceError(
                    .invalidOption(name: "the quote", value: delimiter, expected: "another byte than the delimiter"),
                    in: source)
            }
        }
        for (name, byte) in [("the quote", quote ?? nil), ("the escape", escape ?? nil), ("the comment", comment)] {
            guard let byte, byte >= 0x80 || byte == 0x0A || byte == 0x0D else { continue }
            throw SourceError(
                .invalidOption(name: name, value: "byte \(byte)", expected: "an ASCII character, no line end"),
                in: source)
        }
    }
}

extension DelimitedOptions {
    /// The delimiters that mappings have names for.
    package static let delimiterNames: [(name: String, text: String)] = [
        ("tab", "\t"), ("comma", ","), ("semicolon", ";"), ("pipe", "|"), ("space", " "), ("colon", ":"),
    ]
}

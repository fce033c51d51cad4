/// The options of a delimited file; values that are nil are detected in its first lines.
public struct DelimitedOptions: Equatable, Sendable {
    /// The text between two fields: one or more characters other than line ends.
    public var delimiter: String?
    /// The quote; `.some(nil)` if the file has none.
    public var quote: UInt8??
    /// The byte that escapes the next one; `.some(nil)` if the file has none.
    public var escape: UInt8??
    /// Whether two quotes inside a quoted field stand for one quote in the value.
    public var doublesQuotes: Bool?
    /// The line ends that end a record.
    public var newline: DelimitedDialect.Newline?
    /// Whether the first line contains the names of the columns.
    public var hasHeader: Bool?
    /// The names that columns probably have, without case and punctuation: a first line that has them is the header.
    var probableNames: Set<String> = []
    /// The number of lines before the header.
    public var skippedLines = 0
    /// The encoding of the file.
    public var encoding: TextEncoding?
    /// Whether spaces before an opening quote are ignored.
    public var skipsSpaceBeforeQuote: Bool?
    /// The number of columns; nil for the number of columns in the header, or else in the first record.
    public var columnCount: Int?
    /// A byte that marks a line as a comment if the line begins with it; nil if there are no comments.
    public var comment: UInt8?
    /// How quotes are handled in places where RFC 4180 does not allow them.
    public var strayQuotes = DelimitedDialect.StrayQuotes.literalOutside
    /// How empty lines are handled.
    public var emptyLines = DelimitedDialect.EmptyLines.automatic
    /// Whether records with fewer fields than columns are accepted, as if the missing fields were absent.
    public var allowsShortRecords = false
    /// Whether records with more fields than columns are accepted; the additional fields belong to no column.
    public var allowsLongRecords = false
    /// The size of the largest record in bytes. A larger record is an error, so that a missing quote cannot exhaust the
    /// memory.
    public var largestRecord = DelimitedOptions.defaultLargestRecord

    /// 16 MiB: eight times the longest lines in known real files, and small enough for the memory of a run.
    public static let defaultLargestRecord = 16 << 20

    /// Creates options with which everything is detected.
    public init() {}

    /// Throws an error if an option has an impossible value.
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
    /// The delimiters that have names in mappings.
    package static let delimiterNames: [(name: String, text: String)] = [
        ("tab", "\t"), ("comma", ","), ("semicolon", ";"), ("pipe", "|"), ("space", " "), ("colon", ":"),
    ]
}

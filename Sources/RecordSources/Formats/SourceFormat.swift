/// The format of a source and its settings; values that are nil are detected in the file.
public struct SourceFormat: Hashable, Sendable, Codable {
    /// The format of the file.
    public var kind: Kind?

    /// CSV: the text between two fields.
    public var delimiter: String?
    /// CSV: the quote, one character; empty if there is none.
    public var quote: String?
    /// CSV: the escape, one character; empty if there is none.
    public var escape: String?
    /// CSV: the line ends that end a record.
    public var newline: DelimitedDialect.Newline?
    /// CSV: whether the first line contains the names of the columns.
    public var hasHeader: Bool?
    /// CSV: the names of the columns in order, instead of those in the header.
    public var columns: [String]?
    /// CSV: a character that marks a line as a comment if the line begins with it; empty if there are no comments.
    public var comment: String?
    /// The name of the encoding, as iconv knows it.
    public var encoding: String?
    /// CSV: the number of lines before the header.
    public var skippedLines: Int = 0
    /// CSV: whether short records are filled with NULL, and fields of long records without a column are ignored.
    public var allowsRaggedRecords = false

    /// XML: the path of the record element. JSON: the path of the array of records.
    public var records: String?
    /// XML: the namespaces of the prefixes in paths.
    public var namespaces: [String: String] = [:]
    /// JSON: how the records are arranged in the file.
    public var layout: JSONOptions.Layout?

    /// SQLite: the table or view.
    public var table: String?
    /// SQLite: the query.
    public var query: String?

    /// Settings of formats that have no property here, by their keys.
    public var texts: [String: String] = [:]

    /// Creates a format of which at most the kind is known.
    public init(kind: Kind? = nil) {
        self.kind = kind
    }
}

/// What kind of file a source is, and how it is read; what is nil is found out from the file.
public struct SourceFormat: Hashable, Sendable, Codable {
    /// The format of the file.
    public var kind: Kind?

    /// CSV: what separates fields.
    public var delimiter: String?
    /// CSV: one character; empty if there is none.
    public var quote: String?
    /// CSV: one character; empty if there is none.
    public var escape: String?
    /// CSV: what ends a record.
    public var newline: DelimitedDialect.Newline?
    /// CSV: whether the first line has the names of the columns.
    public var hasHeader: Bool?
    /// CSV: the names of the columns in order, in place of those in the header.
    public var columns: [String]?
    /// CSV: one character that makes a line a comment where it is the first; empty if there is none.
    public var comment: String?
    /// A name that iconv knows.
    public var encoding: String?
    /// CSV: how many lines come before the header.
    public var skippedLines: Int = 0
    /// CSV: short records are filled with NULL, long ones lose nothing but what no column names.
    public var allowsRaggedRecords = false

    /// XML: the path of the record element. JSON: the path of the array of records.
    public var records: String?
    /// XML: the namespaces of the prefixes in paths.
    public var namespaces: [String: String] = [:]
    /// JSON: how the records lie in the file.
    public var layout: JSONOptions.Layout?

    /// SQLite: a table or view.
    public var table: String?
    /// SQLite: a query.
    public var query: String?

    /// Settings of formats that have no property of their own here, by their keys.
    public var texts: [String: String] = [:]

    /// Makes a format of which nothing is known but its kind.
    public init(kind: Kind? = nil) {
        self.kind = kind
    }
}

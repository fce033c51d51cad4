/// What kind of file a source is, and how it is read; what is nil is found out from the file.
public struct SourceFormat: Equatable, Sendable {
    public enum Kind: String, Equatable, Sendable, CaseIterable {
        case csv, xml, json, sqlite
    }

    public var kind: Kind?

    /// CSV: one character.
    public var delimiter: String?
    public var quote: String?
    public var escape: String?
    public var hasHeader: Bool?
    public var comment: String?
    /// A name that iconv knows.
    public var encoding: String?
    /// CSV: how many lines come before the header.
    public var skippedLines: Int = 0
    /// CSV: short records are filled with NULL, long ones lose nothing but what no column names.
    public var allowsRaggedRecords = false

    /// XML: the path of the record element. JSON: the path of the array of records.
    public var records: String?

    /// SQLite: a table or view.
    public var table: String?
    /// SQLite: a query.
    public var query: String?

    public init(kind: Kind? = nil) {
        self.kind = kind
    }
}

/// What a mapping file says of a value's form; what is nil follows from the attribute's type.
public struct ConversionSettings: Equatable, Sendable {
    /// `iso8601`, a pattern such as `yyyy-MM-dd`, or `seconds1970`, `milliseconds1970`, `seconds2001`, `milliseconds2001`,
    /// `spreadsheet`.
    public var date: String?
    /// An IANA name or an offset such as +01:00, for dates without one.
    public var timeZone: String?
    /// `base64`, `hex`, `text`, or `file`.
    public var binary: String?
    /// The folder of binary files.
    public var folder: String?
    public var decimalSeparator: String?
    public var groupingSeparator: String?
    public var yes: [String]?
    public var no: [String]?
    public var trims: Bool?
    /// `always`, `unless-quoted`, `never`.
    public var emptyAsNull: String?
    /// Unquoted texts that stand for NULL.
    public var nullTokens: [String]?

    public init() {}
}

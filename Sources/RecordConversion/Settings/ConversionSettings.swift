/// The settings of a mapping file for the form of values. Settings that are nil are inherited, or else follow from the
/// attribute's type.
public struct ConversionSettings: Hashable, Sendable, Codable {
    /// `iso8601`, a pattern such as `yyyy-MM-dd`, or `seconds1970`, `milliseconds1970`, `microseconds1970`,
    /// `seconds2001`, `milliseconds2001`, `spreadsheet`, `julian`.
    public var date: String?
    /// An IANA name, or an offset such as +01:00, for dates without a time zone.
    public var timeZone: String?
    /// The language of months and weekdays, such as `de` or `pt_BR`.
    public var locale: String?
    /// `base64`, `hex`, `text`, or `file`.
    public var binary: String?
    /// The folder with the files of binary values.
    public var folder: String?
    /// The form of the values of transformable attributes that a value transformer converts: `json`, `array`,
    /// `dictionary`, `string`, `number` or `date`.
    public var archive: String?
    /// The decimal separator, one character.
    public var decimalSeparator: String?
    /// The character between groups of digits; empty for none.
    public var groupingSeparator: String?
    /// The words for yes.
    public var yes: [String]?
    /// The words for no.
    public var no: [String]?
    /// Whether white space around a text is removed.
    public var trims: Bool?
    /// When an empty text is NULL: `always`, `unless-quoted` or `never`.
    public var emptyAsNull: String?
    /// Unquoted texts that stand for NULL.
    public var nullTokens: [String]?

    /// Creates empty settings.
    public init() {}

    /// Whether no setting has a value.
    public var isEmpty: Bool { self == ConversionSettings() }

    /// Returns these settings, with missing ones taken from others.
    public func inheriting(_ other: ConversionSettings) -> ConversionSettings {
        var settings = self
        settings.date = date ?? other.date
        settings.timeZone = timeZone ?? other.timeZone
        settings.locale = locale ?? other.locale
        settings.binary = binary ?? other.binary
        settings.folder = folder ?? other.folder
        // If the form of the bytes is specified, they are not to be created by a value transformer.
        settings.archive = archive ?? (binary == nil && folder == nil ? other.archive : nil)
        settings.decimalSeparator = decimalSeparator ?? other.decimalSeparator
        settings.groupingSeparator = groupingSeparator ?? other.groupingSeparator
        settings.yes = yes ?? other.yes
        settings.no = no ?? other.no
        settings.trims = trims ?? other.trims
        settings.emptyAsNull = emptyAsNull ?? other.emptyAsNull
        settings.nullTokens = nullTokens ?? other.nullTokens
        return settings
    }
}

/// What a mapping file says of a value's form; what is nil follows from what surrounds it, then from the attribute's
/// type.
public struct ConversionSettings: Hashable, Sendable, Codable {
    /// `iso8601`, a pattern such as `yyyy-MM-dd`, or `seconds1970`, `milliseconds1970`, `microseconds1970`,
    /// `seconds2001`, `milliseconds2001`, `spreadsheet`, `julian`.
    public var date: String?
    /// An IANA name or an offset such as +01:00, for dates without one.
    public var timeZone: String?
    /// The language of months and weekdays, such as `de` or `pt_BR`.
    public var locale: String?
    /// `base64`, `hex`, `text`, or `file`.
    public var binary: String?
    /// The folder of binary files.
    public var folder: String?
    /// Of transformable attributes whose values go through their value transformer: `json`, `array`, `dictionary`,
    /// `string`, `number` or `date`.
    public var archive: String?
    /// The character before the fraction of numbers.
    public var decimalSeparator: String?
    /// The character between groups of digits; empty for none.
    public var groupingSeparator: String?
    /// The words for yes.
    public var yes: [String]?
    /// The words for no.
    public var no: [String]?
    /// Whether white space around a text is left out.
    public var trims: Bool?
    /// When an empty text is NULL: `always`, `unless-quoted` or `never`.
    public var emptyAsNull: String?
    /// Unquoted texts that stand for NULL.
    public var nullTokens: [String]?

    /// Makes settings that say nothing.
    public init() {}

    /// Whether nothing is said.
    public var isEmpty: Bool { self == ConversionSettings() }

    /// These settings, with those of the surroundings where they say nothing.
    public func inheriting(_ other: ConversionSettings) -> ConversionSettings {
        var settings = self
        settings.date = date ?? other.date
        settings.timeZone = timeZone ?? other.timeZone
        settings.locale = locale ?? other.locale
        settings.binary = binary ?? other.binary
        settings.folder = folder ?? other.folder
        // Whoever says how the bytes are written does not want them made of a value.
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

/// Why the settings of a value cannot be used: the setting, and what is wrong with it.
public struct ConversionSettingsError: Error, Equatable, Sendable {
    /// What is wrong with a setting.
    public enum Code: Equatable, Sendable {
        /// No single value makes an attribute of this type.
        case notConvertible(type: String)
        /// The setting is for other types of attributes.
        case unsuitable(type: String, suitable: String)
        /// A date format that cannot be used; with the reason, and the nearest name of a form.
        case dateFormat(reason: String, suggestion: String?)
        /// A time zone that is not known.
        case unknownTimeZone
        /// A form of binary data that is not known; with the nearest one.
        case unknownBinaryForm(suggestion: String?)
        /// A form of values that are archived which is not known; with the nearest one.
        case unknownArchiveForm(suggestion: String?)
        /// Bytes that are written, and a value that they are made of.
        case archiveOfBytes
        /// A folder, although binary data are not files.
        case folderWithoutFiles
        /// A separator of numbers that is not one character, or a digit or sign; or one of fractions that is not ASCII.
        case separator
        /// The separators of fraction and groups are the same.
        case sameSeparators
        /// A list of words that is empty.
        case noWords
        /// A word that is among those for yes and those for no.
        case wordOfBoth(String)
        /// A rule for empty texts that is not known; with the nearest one.
        case unknownEmptyRule(suggestion: String?)
    }

    /// What is wrong with the setting.
    public let code: Code
    /// The setting as a mapping file calls it; nil if it is the attribute itself.
    public let setting: String?
    /// What the setting says.
    public let value: String

    init(_ code: Code, setting: String?, value: String = "") {
        self.code = code
        self.setting = setting
        self.value = value
    }
}

extension ConversionSettingsError: CustomStringConvertible {
    /// What is wrong and what to do about it, in one sentence.
    public var description: String {
        let key = setting ?? ""
        switch code {
        case .notConvertible(let type):
            return "text cannot be converted to the type \(type); leave the attribute out"
        case .unsuitable(let type, let suitable):
            return "\"\(key)\" is for \(suitable), and the attribute is of the type \(type); remove it"
        case .dateFormat(let reason, let suggestion):
            return reason + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
        case .unknownTimeZone:
            return
                "the time zone \"\(value)\" is not known; write a name such as Europe/Berlin, or an offset such as +01:00"
        case .unknownBinaryForm(let suggestion):
            return "\"\(value)\" is not a form of binary data; "
                + (suggestion.map { "did you mean \"\($0)\"?" } ?? "write base64, hex, text or file")
        case .unknownArchiveForm(let suggestion):
            return "\"\(value)\" is not a form of archived values; "
                + (suggestion.map { "did you mean \"\($0)\"?" }
                    ?? "write json, array, dictionary, string, number or date")
        case .archiveOfBytes:
            return "\"archive\" is for values, and \"binary\" and \"folder\" are for bytes; remove one"
        case .folderWithoutFiles:
            return "\"folder\" is for values that name files; add \"binary: file\", or remove it"
        case .separator:
            return
                "\"\(key)\" must be one \(key == "decimalSeparator" ? "ASCII " : "")character that is not a digit or sign, and is "
                + "\"\(value)\""
        case .sameSeparators:
            return "decimalSeparator and groupingSeparator are both \"\(value)\"; they must differ"
        case .noWords:
            return "\"\(key)\" has no words; name at least one, or remove it"
        case .wordOfBoth(let word):
            return "\"\(word)\" stands for yes and for no; remove one"
        case .unknownEmptyRule(let suggestion):
            return "\"\(value)\" is not a rule for empty strings; "
                + (suggestion.map { "did you mean \"\($0)\"?" } ?? "write always, unless-quoted or never")
        }
    }
}

/// A setting that cannot be used, and the reason.
public struct ConversionSettingsError: Error, Equatable, Sendable {
    /// The kind of error.
    public enum Code: Equatable, Sendable {
        /// An attribute of this type cannot be made from a single value.
        case notConvertible(type: String)
        /// The setting only applies to other types of attributes.
        case unsuitable(type: String, suitable: String)
        /// The date format cannot be used; with the reason, and the most similar name of a form.
        case dateFormat(reason: String, suggestion: String?)
        /// The time zone is not known.
        case unknownTimeZone
        /// The form of binary data is not known; with the most similar one.
        case unknownBinaryForm(suggestion: String?)
        /// The form of values for a value transformer is not known; with the most similar one.
        case unknownArchiveForm(suggestion: String?)
        /// The settings specify both the form of the bytes and a value from which they are created.
        case archiveOfBytes
        /// A folder is specified, although the binary data are not in files.
        case folderWithoutFiles
        /// A separator is not a single character, or is a digit or a sign; or the decimal separator is not ASCII.
        case separator
        /// The decimal separator and the group separator are the same.
        case sameSeparators
        /// A list of words is empty.
        case noWords
        /// A word is in the lists for both yes and no.
        case wordOfBoth(String)
        /// The rule for empty texts is not known; with the most similar one.
        case unknownEmptyRule(suggestion: String?)
    }

    /// The kind of error.
    public let code: Code
    /// The name of the setting in a mapping file; nil if the error is in the attribute itself.
    public let setting: String?
    /// The value of the setting.
    public let value: String

    init(_ code: Code, setting: String?, value: String = "") {
        self.code = code
        self.setting = setting
        self.value = value
    }
}

extension ConversionSettingsError: CustomStringConvertible {
    /// The error and its remedy, in one sentence.
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

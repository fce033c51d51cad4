/// The form in which a source has the values of a transformable attribute, whose bytes a value transformer creates.
public enum ArchiveForm: String, CaseIterable, Equatable, Sendable {
    /// Any value, as JSON.
    case json
    /// An array, as JSON.
    case array
    /// An object, as JSON.
    case dictionary
    /// A text, unchanged.
    case string
    /// A number.
    case number
    /// A date, in the format of the settings `date` and `timeZone`.
    case date

    /// A description of the expected form of a value, for messages.
    var expectation: String {
        switch self {
        case .json: "JSON"
        case .array: "a list as JSON"
        case .dictionary: "an object as JSON"
        case .string: "a text"
        case .number: "a number"
        case .date: "a date"
        }
    }
}

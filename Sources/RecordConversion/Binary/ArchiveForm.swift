/// What a source has of a transformable attribute, of whose value a value transformer makes the bytes.
public enum ArchiveForm: String, CaseIterable, Equatable, Sendable {
    /// Any value as JSON.
    case json
    /// A list as JSON.
    case array
    /// An object as JSON.
    case dictionary
    /// A text as it stands.
    case string
    /// A number.
    case number
    /// A moment, as `date` and `timeZone` say.
    case date

    /// What a value must look like, for messages.
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

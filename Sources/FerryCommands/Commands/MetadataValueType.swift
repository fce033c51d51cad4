import KeyedArchives
import TextEncodings

/// The types of metadata values that can be given on the command line.
enum MetadataValueType: String, CaseIterable, Sendable {
    case string, integer, real, boolean, date, data, array, dictionary

    /// Returns the value of an argument; nil if it does not have this type.
    func value(_ word: String) -> PropertyListValue? {
        switch self {
        case .string: .string(word)
        case .integer: Int64(word).map { .integer($0) }
        case .real: Double(word).map { .real($0) }
        case .boolean: Self.booleans[word].map { .boolean($0) }
        case .date: PropertyListDate.seconds(of: word).map { .date($0) }
        case .data: Base64.decode(word).map { .data($0) }
        case .array: MetadataList.array(word)
        case .dictionary: MetadataList.dictionary(word)
        }
    }

    var expectation: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number of 64 bits"
        case .real: "a number"
        case .boolean: "true, false, YES or NO"
        case .date: "a date such as 2024-05-31T12:00:00Z"
        case .data: "base 64"
        case .dictionary: "a JSON object without null, such as {\"a\": 1}"
        case .array: "a JSON array without null, such as [\"a\", 1, true]"
        }
    }

    /// Returns a value of the first type that fits an argument. Base64 is never guessed, and digits are a number.
    static func inferred(_ word: String) -> PropertyListValue {
        for type in [integer, boolean, date] {
            if let value = type.value(word) { return value }
        }
        // Words such as "nan" and "infinity" are texts unless the type is given.
        let isNumber = !word.isEmpty && word.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
        return isNumber ? real.value(word) ?? .string(word) : .string(word)
    }

    private static let booleans = ["true": true, "false": false, "YES": true, "NO": false]
}

import ExternalPrograms
import ManagedObjectModels
import PersistentStores
import TextEncodings

/// Reads values from the answers of a program, in the forms in which `RecordLine` writes them.
enum AnswerValue {
    /// Returns the value; nil for NULL. Throws `PolicyError` if the form is not one of the attribute's type.
    static func value(_ json: JSONValue, of attribute: ResolvedAttribute) throws(PolicyError) -> AttributeValue? {
        if json == .null { return nil }
        guard let value = form(json, attribute.type) else {
            if let digits = digits(json, attribute.type), isTooLarge(digits, attribute.type) {
                throw PolicyError(
                    "\(attribute.name) is of type \(attribute.type.name), and the number \(digits.prefix(40)) "
                        + "is too large"
                )
            }
            throw PolicyError(
                "\(attribute.name) is of type \(attribute.type.name), which takes \(expectation(attribute.type)), and not "
                    + json.kind)
        }
        return value
    }

    private static func digits(_ json: JSONValue, _ type: AttributeType) -> String? {
        if case .number(let digits) = json { digits } else { type == .decimal ? json.string : nil }
    }

    /// Returns whether a number is invalid only because it exceeds the range of the type.
    private static func isTooLarge(_ digits: String, _ type: AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64: !digits.utf8.contains { Array(".eE".utf8).contains($0) }
        case .double, .float, .date: Double(digits).map { !$0.isFinite } ?? false
        case .decimal: Double(digits).map { abs($0) > NumberLoss.decimals.upperBound } ?? false
        default: false
        }
    }

    /// Returns a number; nil if it is not finite, because infinity is written as a text.
    private static func number(_ digits: String) -> Double? {
        Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func form(_ json: JSONValue, _ type: AttributeType) -> AttributeValue? {
        switch (type, json) {
        case (.integer16, .number(let digits)), (.integer32, .number(let digits)), (.integer64, .number(let digits)):
            return Int64(digits).map { .integer($0) }
        case (.boolean, .boolean(let flag)): return .boolean(flag)
        case (.double, .number(let digits)), (.float, .number(let digits)): return number(digits).map { .real($0) }
        case (.double, .string(let text)), (.float, .string(let text)):
            return ["inf", "-inf"].contains(text) ? Double(text).map { .real($0) } : nil
        case (.date, .number(let digits)): return number(digits).map { .date($0) }
        case (.decimal, .string(let digits)), (.decimal, .number(let digits)):
            return DecimalText.isNumber(digits) ? .decimal(digits) : nil
        case (.string, .string(let text)): return .string(text)
        case (.uri, .string(let text)): return .uri(text)
        case (.uuid, .string(let text)): return UUIDText.bytes(text).map { .uuid($0) }
        case (.binaryData, .string(let text)), (.transformable, .string(let text)):
            return Base64.decode(text).map { .binary($0) }
        default: return nil
        }
    }

    private static func expectation(_ type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64: "a whole number"
        case .boolean: "true or false"
        case .double, .float: "a number"
        case .date: "the seconds since 2001 as a number"
        case .decimal: "digits in a string"
        case .string, .uri: "a text"
        case .uuid: "a UUID as a string"
        case .binaryData, .transformable: "base64 in a string"
        case .undefined, .objectID, .composite: "no value"
        }
    }
}

import Foundation
import KeyedArchives
import TextEncodings

/// Values of metadata as people and scripts read them.
enum MetadataText {
    /// A line for each pair, sorted by key; what a value holds is indented below it.
    static func lines(_ dictionary: PropertyListDictionary, indentation: Int = 0) -> String {
        dictionary.keys.sorted().map { key in
            entry(PrintableText.line(key) + ":", dictionary[key] ?? .null, indentation)
        }.joined()
    }

    /// The value alone.
    static func text(_ value: PropertyListValue) -> String {
        switch value {
        case .dictionary(let pairs): lines(pairs)
        case .array(let elements), .set(let elements): elements.map { entry("-", $0, 0) }.joined()
        default: scalar(value) + "\n"
        }
    }

    private static func entry(_ label: String, _ value: PropertyListValue, _ indentation: Int) -> String {
        let start = String(repeating: " ", count: indentation) + label
        switch value {
        case .dictionary(let pairs) where !pairs.isEmpty:
            return start + "\n" + lines(pairs, indentation: indentation + 2)
        case .array(let elements) where !elements.isEmpty, .set(let elements) where !elements.isEmpty:
            return start + "\n" + elements.map { entry("-", $0, indentation + 2) }.joined()
        case .dictionary: return start + " {}\n"
        case .array, .set: return start + " []\n"
        default: return "\(start) \(scalar(value))\n"
        }
    }

    private static func scalar(_ value: PropertyListValue) -> String {
        switch value {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .wideInteger(let value): "\(value)"
        case .real(let value): "\(value)"
        case .single(let value): "\(value)"
        case .date(let seconds): PropertyListDate.text(of: seconds) ?? "\(seconds)"
        case .data(let bytes): bytes.isEmpty ? "(no bytes)" : Base64.encode(bytes)
        case .string(let text): PrintableText.line(text)
        case .malformedText(let units): PrintableText.line(String(decoding: units, as: UTF16.self))
        case .uid(let number): "\(number)"
        case .null: "null"
        case .array, .set, .dictionary: ""
        }
    }

    static func json(_ value: PropertyListValue) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: object(value),
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private static func object(_ value: PropertyListValue) -> Any {
        switch value {
        case .boolean(let value): value
        case .integer(let value): value
        case .real(let value): value.isFinite ? value as Any : "\(value)"
        case .single(let value): value.isFinite ? Double(value) as Any : "\(value)"
        case .data(let bytes): Base64.encode(bytes)
        case .string(let text): text
        case .malformedText(let units): String(decoding: units, as: UTF16.self)
        case .array(let elements), .set(let elements): elements.map(object)
        case .dictionary(let pairs):
            Dictionary(pairs.map { ($0.key, object($0.value)) }, uniquingKeysWith: { first, _ in first })
        case .null: NSNull()
        case .date, .wideInteger, .uid: scalar(value)
        }
    }
}

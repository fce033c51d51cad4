import FoundationEssentials
import KeyedArchives
import TextEncodings

/// Formats values of metadata for users and scripts.
enum MetadataText {
    /// Returns a line for each pair, sorted by key; nested values are indented.
    static func lines(_ dictionary: PropertyListDictionary, indentation: Int = 0) -> String {
        dictionary.keys.sorted().map { key in
            entry(PrintableText.line(key) + ":", dictionary[key] ?? .null, indentation)
        }.joined()
    }

    /// Returns the value alone.
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
        try JSONText.text(JSONForm(value: value))
    }

    /// A value of metadata as JSON: bytes in Base64, and other types that JSON lacks as text.
    private struct JSONForm: Encodable {
        let value: PropertyListValue

        func encode(to encoder: any Encoder) throws {
            switch value {
            case .array(let elements), .set(let elements):
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(JSONForm(value: element)) }
            case .dictionary(let pairs):
                // If keys are equal, the first one is used.
                let values = Dictionary(
                    pairs.map { ($0.key, JSONForm(value: $0.value)) }, uniquingKeysWith: { first, _ in first })
                try values.encode(to: encoder)
            default:
                var container = encoder.singleValueContainer()
                try encodeScalar(to: &container)
            }
        }

        private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
            switch value {
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .real(let value) where value.isFinite: try container.encode(value)
            case .single(let value) where value.isFinite: try container.encode(Double(value))
            case .data(let bytes): try container.encode(Base64.encode(bytes))
            case .string(let text): try container.encode(text)
            case .malformedText(let units): try container.encode(String(decoding: units, as: UTF16.self))
            case .null: try container.encodeNil()
            default: try container.encode(scalar(value))
            }
        }
    }
}

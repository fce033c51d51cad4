/// A value of a JSON text; numbers keep their digits.
package enum JSONValue: Equatable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members in the order of the text; keys are unique.
    case object([Member])

    package struct Member: Equatable {
        package let key: String
        package let value: JSONValue
    }

    /// The value of a key; nil if this is not an object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The kind of the value, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean"
        case .number(let digits): "the number \(digits.prefix(40))"
        case .string(let text): "the string \"\(text.prefix(40))\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}

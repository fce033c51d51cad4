/// A typed value in a model: a default value, or a validation bound.
public enum AttributeValue: Sendable {
    /// An integer of any of the integer types.
    case integer(Int64)
    /// A decimal number as text, so that it is not rounded.
    case decimal(String)
    /// The value of a Double or Float attribute.
    case real(Double)
    /// A text.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Bytes.
    case binary([UInt8])
    /// A UUID of 16 bytes.
    case uuid([UInt8])
    /// A URL as text.
    case uri(String)
    /// An array in a transformable attribute, such as SwiftData's `[String]` and `[Data]`: strings, or binary values.
    case array([AttributeValue])
    /// A text of the model that cannot be parsed as the attribute's type; it is kept unchanged, with a warning.
    case unparsed(String)
}

extension AttributeValue: Hashable {
    /// Returns whether the values are equal. NaN equals itself, as in `NSNumber`: otherwise no model that contains it
    /// would equal itself.
    public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.decimal(let left), .decimal(let right)), (.string(let left), .string(let right)),
            (.uri(let left), .uri(let right)), (.unparsed(let left), .unparsed(let right)):
            left == right
        case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
            left == right || left.isNaN && right.isNaN
        case (.boolean(let left), .boolean(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.binary(let left), .binary(let right)), (.uuid(let left), .uuid(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let number): hasher.combine(number)
        case .decimal(let text), .string(let text), .uri(let text), .unparsed(let text): hasher.combine(text)
        case .real(let number), .date(let number): hasher.combine(number.isNaN ? .nan : number)
        case .boolean(let flag): hasher.combine(flag)
        case .binary(let bytes), .uuid(let bytes): hasher.combine(bytes)
        case .array(let elements): hasher.combine(elements)
        }
    }
}

extension AttributeValue {
    /// The number by which values are compared; nil for a value without an order.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let digits): Double(digits)
        case .real(let number), .date(let number): number
        case .string, .boolean, .binary, .uuid, .uri, .array, .unparsed: nil
        }
    }
}

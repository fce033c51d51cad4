public import KeyedArchives

/// A value while an expression is evaluated.
public enum ExpressionValue: Hashable, Sendable {
    /// No value; neither 0 nor the empty string. NaN is this too, as in SQLite.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A real number of 64 bits, not NaN.
    case real(Double)
    /// Kept exactly, in up to 38 digits; boxed, because it is twice as large as any other.
    indirect case decimal(DecimalNumber)
    /// A text.
    case string(String)
    /// A moment, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// A UUID of 16 bytes.
    case uuid([UInt8])
    /// A URL as text.
    case url(String)
    /// An object of the context's.
    case object(ObjectReference)
    /// Elements in their order.
    case array([ExpressionValue])
    /// Elements in no particular order; it is the caller who keeps them distinct.
    case set([ExpressionValue])
    /// A class, by its name.
    case className(String)
    /// Something of the caller's that is not a value, such as `$manager` or a fetch request; the number is the caller's
    /// own.
    case host(Int)
}

extension ExpressionValue {
    /// The value that stands in an expression.
    public init(_ constant: ConstantValue) {
        switch constant {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = value.isNaN ? .null : .real(value)
        case .decimal(let value): self = value.isNotANumber ? .null : .decimal(value)
        case .string(let value): self = .string(value)
        case .date(let value): self = value.isNaN ? .null : .date(value)
        case .data(let value): self = .data(value)
        case .uuid(let value): self = .uuid(value)
        case .url(let value): self = .url(value)
        case .array(let values): self = .array(values.map { ExpressionValue($0) })
        case .set(let values): self = .set(values.map { ExpressionValue($0) })
        case .className(let name): self = .className(name)
        }
    }

    /// Whether it is `.null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The elements of an array or set; nil for everything else.
    public var elements: [ExpressionValue]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }

    /// What kind of value it is, for messages: `a string`.
    public var kind: String {
        switch self {
        case .null: "NULL"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "binary data"
        case .uuid: "a UUID"
        case .url: "a URI"
        case .object: "an object"
        case .array, .set: "a collection"
        case .className: "a class"
        case .host: "something that is not a value"
        }
    }
}

public import KeyedArchives

/// A value during the evaluation of an expression.
public enum ExpressionValue: Hashable, Sendable {
    /// No value; neither 0 nor the empty string. Also represents NaN, as in SQLite.
    case null
    /// True or false.
    case boolean(Bool)
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits, not NaN.
    case real(Double)
    /// An exact decimal of up to 38 digits; boxed, because it is twice as large as any other value.
    indirect case decimal(DecimalNumber)
    /// A text.
    case string(String)
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// A UUID of 16 bytes.
    case uuid([UInt8])
    /// A URL as text.
    case url(String)
    /// An object of the context.
    case object(ObjectReference)
    /// An ordered list of elements.
    case array([ExpressionValue])
    /// An unordered collection of elements; the caller ensures that they are distinct.
    case set([ExpressionValue])
    /// A class, by its name.
    case className(String)
    /// An object of the caller that is not a value, such as `$manager` or a fetch request; the number is defined by the
    /// caller.
    case host(Int)
}

extension ExpressionValue {
    /// Makes a value from a constant.
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

    /// The type of the value, for messages: `a string`.
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

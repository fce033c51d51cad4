/// A value of a database, with its own memory. Text keeps its bytes, even if they are not valid UTF-8.
public enum SQLiteValue: Sendable, Hashable {
    /// SQL's NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case real(Double)
    /// The bytes of a text in UTF-8, valid or not.
    case text([UInt8])
    /// Bytes without a text encoding.
    case blob([UInt8])

    /// Makes a text of a string.
    public static func string(_ string: String) -> SQLiteValue {
        .text(Array(string.utf8))
    }

    /// The storage class of the value.
    public var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    /// Whether it is `.null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The text, with bad UTF-8 replaced by U+FFFD; nil for every other storage class.
    public var string: String? {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The integer; nil for every other storage class.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The real, or the integer as the nearest real; nil for every other storage class.
    public var real: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .null, .text, .blob: nil
        }
    }

    /// The bytes of a blob; nil for every other storage class, including text.
    public var blob: [UInt8]? {
        if case .blob(let bytes) = self { bytes } else { nil }
    }
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    /// Makes NULL.
    public init(nilLiteral: ()) { self = .null }
    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes a real.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }
}

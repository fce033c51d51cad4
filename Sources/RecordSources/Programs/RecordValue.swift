public import FoundationEssentials

/// A value of a record that a program hands over.
public enum RecordValue: Equatable, Sendable {
    /// No value.
    case null
    /// Text, which is converted as that of a file is.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A real number.
    case real(Double)
    /// The exact text of a number, such as `12.50`.
    case number(String)
    /// True or false.
    case boolean(Bool)
    /// A moment.
    case date(Date)
    /// Bytes.
    case data([UInt8])
}

extension RecordValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Makes a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes a real number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Makes NULL.
    public init(nilLiteral: ()) { self = .null }
}

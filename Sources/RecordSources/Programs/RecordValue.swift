public import FoundationEssentials

/// A value in a record that a program supplies.
public enum RecordValue: Equatable, Sendable {
    /// No value.
    case null
    /// A text, which is converted like the text of a file.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A real number.
    case real(Double)
    /// The exact text of a number, such as `12.50`.
    case number(String)
    /// True or false.
    case boolean(Bool)
    /// A moment in time.
    case date(Date)
    /// Bytes.
    case data([UInt8])
}

extension RecordValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a real number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates NULL.
    public init(nilLiteral: ()) { self = .null }
}

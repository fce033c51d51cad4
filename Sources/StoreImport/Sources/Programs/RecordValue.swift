public import FoundationEssentials

/// A value of a record that a program hands over.
public enum RecordValue: Equatable, Sendable {
    case null
    /// Text, which is converted as that of a file is.
    case text(String)
    case integer(Int64)
    case real(Double)
    /// The exact text of a number, such as `12.50`.
    case number(String)
    case boolean(Bool)
    case date(Date)
    case data([UInt8])
}

extension RecordValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(nilLiteral: ()) { self = .null }
}

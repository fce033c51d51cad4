/// A typed value in a model: a default, or a bound of validation.
public enum AttributeValue: Sendable, Hashable {
    case integer(Int64)
    /// Decimal digits as text, so that nothing is rounded.
    case decimal(String)
    /// A Double or Float attribute's value.
    case real(Double)
    case string(String)
    case boolean(Bool)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case binary([UInt8])
    /// 16 bytes.
    case uuid([UInt8])
    case uri(String)
    /// Text of the model that does not parse as the attribute's type: kept as it is, and warned about.
    case unparsed(String)
}

public import KeyedArchives

/// A value that stands in an expression.
public enum ConstantValue: Hashable, Sendable {
    /// `NULL`; neither 0 nor the empty string.
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(DecimalNumber)
    case string(String)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
    /// 16 bytes.
    case uuid([UInt8])
    case url(String)
    case array([ConstantValue])
    case set([ConstantValue])
    /// A class, by its name, as the target of functions.
    case className(String)
}

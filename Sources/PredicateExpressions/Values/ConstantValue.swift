public import KeyedArchives

/// A value that stands in an expression.
public enum ConstantValue: Hashable, Sendable {
    /// `NULL`; neither 0 nor the empty string.
    case null
    /// `YES` or `NO`.
    case boolean(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A real number of 64 bits.
    case real(Double)
    /// A decimal number, kept exactly.
    case decimal(DecimalNumber)
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
    /// Elements in their order.
    case array([ConstantValue])
    /// Elements in no particular order.
    case set([ConstantValue])
    /// A class, by its name, as the target of functions.
    case className(String)
}

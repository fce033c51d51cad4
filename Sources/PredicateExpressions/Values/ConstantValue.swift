public import KeyedArchives

/// A constant in an expression.
public enum ConstantValue: Hashable, Sendable {
    /// `NULL`; neither 0 nor the empty string.
    case null
    /// The Boolean `YES` or `NO`.
    case boolean(Bool)
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case real(Double)
    /// An exact decimal number.
    case decimal(DecimalNumber)
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
    /// An ordered list of elements.
    case array([ConstantValue])
    /// An unordered collection of elements.
    case set([ConstantValue])
    /// A class, by its name, as the target of functions.
    case className(String)
}

/// A value for a parameter of a statement; the bytes of texts and blobs lie in an arena beside it.
///
/// Sixteen bytes without references: thousands of them are one allocation, and binding them copies nothing.
public enum ArenaValue: Equatable, Sendable {
    /// SQL's NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int64)
    /// A real of 64 bits.
    case real(Double)
    /// A text in UTF-8.
    case text(ArenaRange)
    /// Bytes as they are.
    case blob(ArenaRange)

    /// The value with bytes of its own, for those who do not mind copies.
    public func sqliteValue(in arena: [UInt8]) -> SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(Array(arena[range.range]))
        case .blob(let range): .blob(Array(arena[range.range]))
        }
    }
}

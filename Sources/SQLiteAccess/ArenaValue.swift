/// A value for a parameter of a statement; the bytes of texts and blobs lie in an arena beside it.
///
/// Sixteen bytes without references: thousands of them are one allocation, and binding them copies nothing.
public enum ArenaValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8.
    case text(ArenaRange)
    case blob(ArenaRange)
}

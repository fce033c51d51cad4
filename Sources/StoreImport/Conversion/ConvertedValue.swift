/// A value as a store holds it; texts and blobs lie in the arena of the record's batch.
public enum ConvertedValue: Equatable, Sendable {
    case null
    /// An integer or boolean attribute's value.
    case integer(Int64)
    /// A double, float or date: a date as seconds since 2001-01-01T00:00:00Z.
    case real(Double)
    /// UTF-8 of a string or URI, or the digits of a decimal.
    case text(ArenaRange)
    /// The bytes of a binary attribute, or the sixteen of a UUID.
    case blob(ArenaRange)
}

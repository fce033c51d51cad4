/// How an object with a repeated key is handled.
public enum JSONDuplicateKeys: String, CaseIterable, Equatable, Sendable {
    /// The record is rejected, because it is not known which value is meant.
    case reject
    /// The first value is used.
    case keepFirst
    /// The last value is used.
    case keepLast
}

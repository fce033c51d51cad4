/// What is done with an object that has one key twice.
public enum JSONDuplicateKeys: String, CaseIterable, Equatable, Sendable {
    /// The record is rejected: no one knows which value is meant.
    case reject
    /// The first value is taken.
    case keepFirst
    /// The last value is taken.
    case keepLast
}

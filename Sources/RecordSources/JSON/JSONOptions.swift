/// How the records lie in a JSON source.
public struct JSONOptions: Equatable, Sendable {
    /// How the records follow each other.
    public enum Layout: String, CaseIterable, Equatable, Sendable, Codable {
        /// One array whose items are the records.
        case array
        /// One record in every line.
        case lines
        /// Values one after the other, over any lines, with or without space or a record separator (U+001E) between.
        case concatenated
    }

    /// nil to find it out: an array begins with `[`; lines are such where the first line is a whole value.
    public var layout: Layout?
    /// The keys that lead from the root object to the array of records: `features`, `data.items`; nil for the root.
    ///
    /// With `*` at the end the members of an object are the records: `currencies.*`, `*`.
    public var recordPath: String?
    /// What one record may have at most.
    public var limits = RecordLimits()
    /// What is done with an object that has one key twice.
    public var duplicateKeys = JSONDuplicateKeys.reject
    var keyOrder = JSONKeyOrder.Limits()

    /// Makes options that say nothing: all is found out.
    public init() {}
}

/// How the records are arranged in a JSON source.
public struct JSONOptions: Equatable, Sendable {
    /// The arrangement of the records.
    public enum Layout: String, CaseIterable, Equatable, Sendable, Codable {
        /// One array, whose items are the records.
        case array
        /// One record on each line.
        case lines
        /// Consecutive values that may extend over several lines, optionally separated by space or a record separator
        /// (U+001E).
        case concatenated
    }

    /// The layout; nil to detect it. An array begins with `[`; in lines, the first line is a complete value.
    public var layout: Layout?
    /// The keys that lead from the root object to the array of records, such as `features` or `data.items`; nil for the
    /// root.
    ///
    /// With `*` at the end, the members of an object are the records: `currencies.*`, `*`.
    public var recordPath: String?
    /// The limits of a single record.
    public var limits = RecordLimits()
    /// How an object with a repeated key is handled.
    public var duplicateKeys = JSONDuplicateKeys.reject
    var keyOrder = JSONKeyOrder.Limits()

    /// Creates options with which everything is detected.
    public init() {}
}

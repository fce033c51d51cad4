/// The limits of a record of a nested source, so that no file can exhaust the memory.
public struct RecordLimits: Equatable, Sendable {
    /// The depth of nested objects and arrays in JSON. 128 is four times the depth that real files reach.
    public var depth = 128
    /// The number of values of all kinds, elements and attributes; a million take 40 MB.
    public var values = 1_000_000
    /// The number of bytes in the record, or in its texts.
    public var bytes = DelimitedOptions.defaultLargestRecord

    /// The allowed limits: a smaller one would hardly allow a record, and a larger one would not fit into a batch.
    public static let allowedBytes = 1 << 10...128 << 20

    /// Creates the default limits.
    public init() {}

    /// - Parameter bytes: the limit, which is clamped to the allowed range.
    package init(bytes: Int) {
        self.bytes = min(max(bytes, Self.allowedBytes.lowerBound), Self.allowedBytes.upperBound)
    }
}

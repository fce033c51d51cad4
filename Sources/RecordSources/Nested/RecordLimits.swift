/// What one record of a nested source may have at most, so that no file exhausts the memory.
public struct RecordLimits: Equatable, Sendable {
    /// Objects and arrays inside each other, in JSON: 128 is four times what generators of real files reach.
    public var depth = 128
    /// Values of all kinds, elements and attributes: a million take 40 MB.
    public var values = 1_000_000
    /// The bytes of the record, or of the texts in it.
    public var bytes = DelimitedOptions.defaultLargestRecord

    /// What can be allowed: less would hold hardly a record, and more would not fit a batch.
    public static let allowedBytes = 1 << 10...128 << 20

    /// The limits that sources have unless told.
    public init() {}

    /// - Parameter bytes: brought into the range of what can be allowed.
    package init(bytes: Int) {
        self.bytes = min(max(bytes, Self.allowedBytes.lowerBound), Self.allowedBytes.upperBound)
    }
}

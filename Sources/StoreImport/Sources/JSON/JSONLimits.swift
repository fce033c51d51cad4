/// What one record of a JSON source may have at most, so that no file exhausts the memory.
public struct JSONLimits: Equatable, Sendable {
    /// Objects and arrays inside each other: 128 is four times what generators of real files reach.
    public var depth = 128
    /// Values of all kinds: a million take 40 MB.
    public var values = 1_000_000
    /// Bytes of the record's text.
    public var bytes = DelimitedOptions.defaultLargestRecord

    public init() {}
}

/// What a comparison of folded texts disregards.
public struct FoldingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Options of their bits; bits without a meaning are kept.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Letters in either case are the same.
    public static let caseInsensitive = FoldingOptions(rawValue: 1)

    /// A letter with marks is the same as without them.
    public static let diacriticInsensitive = FoldingOptions(rawValue: 2)
}

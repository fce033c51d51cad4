/// The differences that a comparison of folded texts ignores.
public struct FoldingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Makes options from bits; unknown bits are kept.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Case is ignored.
    public static let caseInsensitive = FoldingOptions(rawValue: 1)

    /// Diacritical marks are ignored.
    public static let diacriticInsensitive = FoldingOptions(rawValue: 2)
}

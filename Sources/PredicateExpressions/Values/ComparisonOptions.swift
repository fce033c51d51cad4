/// How strings are compared; the raw value is Foundation's.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
    /// The options as Foundation's bits.
    public let rawValue: Int

    /// Makes options from Foundation's bits; unknown bits are kept.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `[c]`: case is ignored.
    public static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`: diacritical marks are ignored.
    public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `[n]`: the strings are already normalized, and are compared byte by byte.
    public static let normalized = ComparisonOptions(rawValue: 4)
    /// `[l]`: strings are compared by the rules of a locale.
    public static let localeSensitive = ComparisonOptions(rawValue: 8)

    /// The letters between the brackets, in the order in which they are printed.
    static let letters: [(letter: Character, option: ComparisonOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]
}

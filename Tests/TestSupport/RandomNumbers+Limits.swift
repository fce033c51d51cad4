extension RandomNumbers {
    /// The sizes at which limits are tried: as small as they can be, and so that they are crossed in the middle of what
    /// belongs together.
    public static let limitSizes = [1, 2, 3, 7]

    /// The seeds of a test with random input: a quarter of those that are named, a twelfth in a fast run, and all of
    /// them if that is asked for.
    public static func seeds(_ count: Int) -> Range<Int> {
        0..<(TestSettings.triesEverySeed ? count : max(1, count / (TestSettings.isFast ? 12 : 4)))
    }

    /// The size that is given, or one of the small ones.
    public mutating func limit(_ size: Int? = nil) -> Int {
        size ?? Self.limitSizes.randomElement(using: &self) ?? 1
    }
}

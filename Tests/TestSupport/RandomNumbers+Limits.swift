extension RandomNumbers {
    /// The sizes at which limits are tried: as small as they can be, and so that they are crossed in the middle of what
    /// belongs together.
    public static let limitSizes = [1, 2, 3, 7]

    /// The seeds of a test with random input: as many as are asked for, or a twelfth of them in a fast run.
    public static func seeds(_ count: Int) -> Range<Int> {
        0..<(TestSettings.isFast ? max(1, count / 12) : count)
    }

    /// The size that is given, or one of the small ones.
    public mutating func limit(_ size: Int? = nil) -> Int {
        size ?? Self.limitSizes.randomElement(using: &self) ?? 1
    }
}

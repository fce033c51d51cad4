/// A shuffled order of 0 to count - 1 that needs no memory: the number at each position is computed.
struct Permutation: Sendable {
    let count: Int
    private let factor: Int
    private let offset: Int

    init(count: Int, _ random: inout SeededNumbers) {
        self.count = count
        offset = random.below(count)
        // A factor without a common divisor gives every remainder once.
        var candidate = max(1, random.below(count))
        while Self.greatestCommonDivisor(candidate, count) > 1 { candidate += 1 }
        factor = candidate
    }

    /// The number at a position.
    subscript(_ place: Int) -> Int {
        guard count > 1 else { return 0 }
        let product = factor.multipliedFullWidth(by: place)
        let remainder = count.dividingFullWidth(product).remainder
        return (remainder + offset) % count
    }

    private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
        var (a, b) = (first, second)
        while b > 0 { (a, b) = (b, a % b) }
        return a
    }
}

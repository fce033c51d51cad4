/// The fraction of a date's second, as the fewest decimal digits that are parsed as the same date.
public struct SecondFraction: Equatable, Sendable {
    /// The digits after the decimal point as one number, without leading zeros.
    public let digits: UInt64
    /// The number of digits, including leading zeros; 0 for a whole second.
    public let places: Int

    private static let powers: [Double] = [
        1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    ]

    /// Makes the fraction of a date's second; nil if no digits are parsed as the same date.
    ///
    /// - Parameters:
    ///   - seconds: the seconds since any fixed time, with the fraction.
    ///   - whole: the seconds, rounded down.
    public init?(of seconds: Double, above whole: Int) {
        let fraction = seconds - Double(whole)
        guard (0...1).contains(fraction) else { return nil }
        if fraction == 0 {
            (digits, places) = (0, 0)
            return
        }
        for (index, power) in Self.powers.enumerated() {
            let scaled = fraction * power
            var digits = UInt64(scaled)
            if scaled - Double(digits) >= 0.5 { digits += 1 }
            // Computed as a parser does.
            guard Double(digits) < power, Double(digits) / power + Double(whole) == seconds else { continue }
            self.digits = digits
            places = index + 1
            return
        }
        return nil
    }

    /// The thousandths of a second, rounded down.
    public var thousandths: Int {
        var (value, places) = (digits, places)
        while places > 3 { (value, places) = (value / 10, places - 1) }
        while places < 3 { (value, places) = (value * 10, places + 1) }
        return Int(value)
    }
}

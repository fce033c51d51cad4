import ManagedObjectModels

/// Double, Float and Decimal numbers, mostly with two decimal places.
struct RealValues: ValueSource {
    let type: AttributeType
    let lower: Double
    let upper: Double
    /// The range of most values, in hundredths.
    private let usual: ClosedRange<Int64>

    init(type: AttributeType, lower: Double?, upper: Double?, name: AttributeName) {
        self.type = type
        let window = name.usualReals
        // A decimal is stored in a column of reals, in which 15 digits are exact.
        let largest = type == .decimal ? 999_999_999_999.99 : type == .float ? 3.0e38 : 1.0e300
        let extreme = name.hasUsualReals ? nil : largest
        self.lower = lower ?? min(extreme.map { -$0 } ?? window.lowerBound, upper ?? .infinity)
        self.upper = upper ?? max(extreme ?? window.upperBound, lower ?? -.infinity)
        let low = Self.hundredths(max(window.lowerBound, self.lower), .up)
        let high = Self.hundredths(min(window.upperBound, self.upper), .down)
        if low <= high {
            usual = low...high
        } else {
            let first = Self.hundredths(self.lower, .up)
            usual = first...max(first, min(Self.hundredths(self.upper, .down), first + 99_999))
        }
    }

    private static func hundredths(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
        let scaled = (value * 100).rounded(rule)
        return abs(scaled) < 9e17 ? Int64(scaled) : scaled < 0 ? -900_000_000_000_000_000 : 900_000_000_000_000_000
    }

    private var usualCount: Int { Int(usual.lowerBound.distance(to: usual.upperBound, atMost: 1 << 50)) + 1 }

    /// The number of different values. Single precision has 24 bits; a range without a hundredth in it has at least one
    /// value.
    var capacity: Int {
        isWithin(Double(usual.lowerBound) / 100) ? min(usualCount, type == .float ? 1 << 20 : .max) : 1
    }

    private func isWithin(_ value: Double) -> Bool { value >= lower && value <= upper }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        switch place.kind {
        case .least: made(lower)
        case .greatest: made(upper)
        default: hundredth(random.below(usualCount))
        }
    }

    func distinct(_ number: Int) -> AttributeValue { hundredth(number) }

    private func hundredth(_ number: Int) -> AttributeValue {
        let hundredths = usual.lowerBound + Int64(number)
        let value = Double(hundredths) / 100
        guard isWithin(value) else { return made(lower) }
        guard type == .decimal else { return made(value) }
        let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
        let places = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return .decimal((hundredths < 0 ? "-" : "") + "\(whole)\(places)")
    }

    /// Returns a value of the type that is within the bounds, regardless of rounding.
    private func made(_ value: Double) -> AttributeValue {
        if type == .decimal {
            // Without an exponent, which texts of Decimal do not have.
            let isWhole = value == value.rounded() && abs(value) < 1e15
            return .decimal(isWhole ? "\(Int64(value))" : "\(value)")
        }
        guard type == .float else { return .real(value) }
        var single = Float(value)
        if Double(single) < lower { single = single.nextUp }
        if Double(single) > upper { single = single.nextDown }
        return .real(Double(single))
    }
}

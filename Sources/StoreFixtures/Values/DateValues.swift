import ManagedObjectModels

/// Dates: mostly full minutes in the years 2001 to 2024. The current time is not used.
struct DateValues: ValueSource {
    let lower: Double
    let upper: Double
    private let usual: ClosedRange<Int64>

    /// Foundation's `distantPast` and `distantFuture`, in seconds since 2001.
    private static let distant = -63_114_076_800.0...64_092_211_200.0
    /// The range of minutes since 2001.
    private static let window: ClosedRange<Int64> = 0...12_623_039

    init(lower: Double?, upper: Double?) {
        self.lower = lower ?? min(Self.distant.lowerBound, upper ?? .infinity)
        self.upper = upper ?? max(Self.distant.upperBound, lower ?? -.infinity)
        let first = Self.minutes(self.lower, .up)
        let last = Self.minutes(self.upper, .down)
        let (low, high) = (max(Self.window.lowerBound, first), min(Self.window.upperBound, last))
        usual = low <= high ? low...high : first...max(first, min(last, first + 525_600))
    }

    private static func minutes(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
        let value = (seconds / 60).rounded(rule)
        return abs(value) < 1e15 ? Int64(value) : value < 0 ? -1_000_000_000_000_000 : 1_000_000_000_000_000
    }

    var capacity: Int {
        guard isWithin(Double(usual.lowerBound) * 60) else { return 1 }
        return Int(usual.lowerBound.distance(to: usual.upperBound, atMost: 1 << 50)) + 1
    }

    private func isWithin(_ seconds: Double) -> Bool { seconds >= lower && seconds <= upper }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        switch place.kind {
        case .least: return .date(lower)
        case .greatest: return .date(upper)
        case .foreign:
            // Half a second, so that there are also dates with a fraction.
            let base = seconds(random.below(capacity))
            return .date(isWithin(base + 0.5) ? base + 0.5 : base)
        default: return .date(seconds(random.below(capacity)))
        }
    }

    func distinct(_ number: Int) -> AttributeValue { .date(seconds(number)) }

    private func seconds(_ number: Int) -> Double {
        let value = Double(usual.lowerBound + Int64(number)) * 60
        return isWithin(value) ? value : lower
    }
}

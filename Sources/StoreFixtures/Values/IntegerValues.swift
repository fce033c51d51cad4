import ManagedObjectModels

/// Integers, mostly small and round ones.
struct IntegerValues: ValueSource {
    let range: ClosedRange<Int64>
    /// The range of most values, within the allowed range.
    let usual: ClosedRange<Int64>
    /// Whether the attribute numbers the objects.
    let isCounting: Bool

    init(range: ClosedRange<Int64>, name: AttributeName) {
        self.range = range
        let window = name.usualIntegers
        let (lower, upper) = (max(window.lowerBound, range.lowerBound), min(window.upperBound, range.upperBound))
        if lower <= upper {
            usual = lower...upper
        } else {
            let width = range.lowerBound.distance(to: range.upperBound, atMost: 999)
            usual = range.lowerBound...(range.lowerBound + width)
        }
        isCounting = name.isIdentifying
    }

    var capacity: Int {
        let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        return overflow || width == .max ? .max : Int(width) + 1
    }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        if isCounting, place.number < capacity { return distinct(place.number) }
        switch place.kind {
        case .least: return .integer(range.lowerBound)
        case .greatest: return .integer(range.upperBound)
        default:
            let width = usual.lowerBound.distance(to: usual.upperBound, atMost: 1 << 40)
            return .integer(usual.lowerBound + Int64(random.below(Int(width) + 1)))
        }
    }

    /// Returns a unique value: from 1 or the nearest allowed one upwards, then those below.
    func distinct(_ number: Int) -> AttributeValue {
        let start = min(max(1, range.lowerBound), range.upperBound)
        let above = start.distance(to: range.upperBound, atMost: .max)
        if Int64(number) <= above { return .integer(start + Int64(number)) }
        return .integer(start - (Int64(number) - above))
    }
}

extension Int64 {
    /// Returns the distance to a larger number, at most a limit; never overflows.
    func distance(to other: Int64, atMost limit: Int64) -> Int64 {
        let (width, overflow) = other.subtractingReportingOverflow(self)
        return overflow ? limit : Swift.min(width, limit)
    }
}

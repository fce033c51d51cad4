/// A sum of reals that is rounded only once, at the end, so that it does not depend on the order of a set.
///
/// It keeps the parts that rounding would lose as separate numbers (Shewchuk, "Adaptive Precision Floating-Point
/// Arithmetic", 1997); few of them remain at any time.
struct ExactSum {
    /// The parts, which do not overlap, the smallest first.
    private var parts: [Double] = []
    /// The sum of infinite values, and of those that have become infinite.
    private var infinite = 0.0

    mutating func add(_ value: Double) {
        guard value.isFinite else {
            infinite += value
            return
        }
        var value = value
        var kept = 0
        for var part in parts {
            if value.magnitude < part.magnitude {
                swap(&value, &part)
            }
            let sum = value + part
            let rest = part - (sum - value)
            guard sum.isFinite else {
                infinite += sum
                parts = []
                return
            }
            if rest != 0 {
                parts[kept] = rest
                kept += 1
            }
            value = sum
        }
        parts.removeLast(parts.count - kept)
        parts.append(value)
    }

    /// The sum, rounded to the nearest real.
    var value: Double {
        guard infinite == 0 else { return infinite }
        guard var sum = parts.last else { return 0 }
        var rest = 0.0
        var number = parts.count - 1
        while number > 0 {
            number -= 1
            let larger = sum
            sum = larger + parts[number]
            rest = parts[number] - (sum - larger)
            if rest != 0 { break }
        }
        // Half way between two reals, the smaller parts decide.
        if number > 0, rest < 0 && parts[number - 1] < 0 || rest > 0 && parts[number - 1] > 0 {
            let doubled = rest * 2
            let next = sum + doubled
            if doubled == next - sum { sum = next }
        }
        return sum
    }
}

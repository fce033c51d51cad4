/// Sums of numbers that come from files and may be any: what is too large counts as the largest.
public enum SaturatingSum {
    /// The sum of numbers, the largest or smallest `Int64` if it is beyond that range.
    public static func of(_ numbers: some Sequence<Int64>) -> Int64 {
        numbers.reduce(0) { sum, number in
            let (result, overflows) = sum.addingReportingOverflow(number)
            return overflows ? (number < 0 ? .min : .max) : result
        }
    }
}

/// Sums of numbers from files, which may have any value: a sum beyond the range of `Int64` becomes its limit.
public enum SaturatingSum {
    /// Returns the sum of numbers, the largest or smallest `Int64` if it is beyond that range.
    public static func of(_ numbers: some Sequence<Int64>) -> Int64 {
        numbers.reduce(0) { sum, number in
            let (result, overflows) = sum.addingReportingOverflow(number)
            return overflows ? (number < 0 ? .min : .max) : result
        }
    }
}

import CommandLineParsing

/// A part of a whole: `1%`, `0.5%` or `0.01`.
struct ShareArgument: ArgumentValue {
    /// The share, from 0 to 1.
    let share: Double
    let argument: String

    static let expectation = "a share such as 1% or 0.01, up to 100%"
    static let completion = ValueCompletion.nothing

    init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        guard let number = Double(argument: isPercentage ? String(argument.dropLast()) : argument) else { return nil }
        let share = isPercentage ? number / 100 : number
        guard share >= 0, share <= 1 else { return nil }
        (self.share, self.argument) = (share, argument)
    }
}

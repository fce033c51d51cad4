/// The operands that a command accepts.
public struct OperandRule: Sendable, Hashable {
    /// The operands in the usage line, such as "STORE [DEST]" or "SOURCE..."; empty if there are none.
    public let synopsis: String

    /// The minimum number of operands.
    public let minimum: Int

    /// The maximum number of operands; Int.max for no limit.
    public let maximum: Int

    /// The completion that a shell offers for an operand.
    public let completion: ValueCompletion

    /// Makes a rule from the words of the usage line, and the minimum and maximum numbers.
    public init(_ synopsis: String, _ minimum: Int, upTo maximum: Int, completion: ValueCompletion = .files) {
        self.synopsis = synopsis
        self.minimum = minimum
        self.maximum = maximum
        self.completion = completion
    }

    /// A rule without operands.
    public static let none = OperandRule("", 0, upTo: 0, completion: .nothing)

    /// Returns a rule for exactly one operand.
    public static func one(_ synopsis: String) -> OperandRule {
        OperandRule(synopsis, 1, upTo: 1)
    }

    /// Returns a rule for a minimum number of operands, without a maximum.
    public static func atLeast(_ minimum: Int, _ synopsis: String) -> OperandRule {
        OperandRule(synopsis, minimum, upTo: .max)
    }

    /// Throws if there are too few or too many operands.
    func check(_ operands: [String]) throws(UsageError) {
        guard operands.count >= minimum else {
            // The name of the first missing operand, if the synopsis has a word for each.
            let words = synopsis.split(separator: " ").map(String.init)
            throw .missing(operands.count < words.count ? words[operands.count] : synopsis)
        }
        guard operands.count <= maximum else {
            throw UsageError(.surplusOperand, operands[maximum], expected: synopsis.isEmpty ? "none" : synopsis)
        }
    }
}

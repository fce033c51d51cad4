/// Which operands a command takes.
public struct OperandRule: Sendable, Hashable {
    /// The operands as the usage line shows them, as in "STORE [DEST]" or "SOURCE..."; empty if there are none.
    public let synopsis: String

    /// The fewest operands that are accepted.
    public let minimum: Int

    /// Int.max where there is no limit.
    public let maximum: Int

    /// What a shell offers when an operand is to be completed.
    public let completion: ValueCompletion

    /// Makes a rule of the usage line's words and the numbers that are accepted, both included.
    public init(_ synopsis: String, _ minimum: Int, upTo maximum: Int, completion: ValueCompletion = .files) {
        self.synopsis = synopsis
        self.minimum = minimum
        self.maximum = maximum
        self.completion = completion
    }

    /// No operands at all.
    public static let none = OperandRule("", 0, upTo: 0, completion: .nothing)

    /// Exactly one operand.
    public static func one(_ synopsis: String) -> OperandRule {
        OperandRule(synopsis, 1, upTo: 1)
    }

    /// At least so many operands, without an upper limit.
    public static func atLeast(_ minimum: Int, _ synopsis: String) -> OperandRule {
        OperandRule(synopsis, minimum, upTo: .max)
    }

    /// Refuses operands that are too few or too many.
    func check(_ operands: [String]) throws(UsageError) {
        guard operands.count >= minimum else {
            // The name of the first one that is not there, as far as the synopsis has a word for each.
            let words = synopsis.split(separator: " ").map(String.init)
            throw .missing(operands.count < words.count ? words[operands.count] : synopsis)
        }
        guard operands.count <= maximum else {
            throw UsageError(.surplusOperand, operands[maximum], expected: synopsis.isEmpty ? "none" : synopsis)
        }
    }
}

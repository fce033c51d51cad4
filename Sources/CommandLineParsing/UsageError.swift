import TextEncodings

/// Why a command line is refused. Two errors are equal when their codes are.
public struct UsageError: Error, Sendable {
    /// What is wrong with the words that were typed.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// No command is named.
        case missingCommand
        /// No command has that name.
        case unknownCommand
        /// The command has no such option.
        case unknownOption
        /// An option stands without its value.
        case missingValue
        /// A switch has a value.
        case unexpectedValue
        /// The value is not one that the option takes.
        case badValue
        /// An option that can be given once is given twice.
        case repeatedOption
        /// An option, or an operand, that the command can't do without is not there.
        case missing
        /// There are more operands than the command takes.
        case surplusOperand
        /// Two options exclude each other.
        case conflict
        /// An option makes sense only together with another one.
        case dependent
        /// An operand is not what the command takes.
        case badOperand
    }

    /// What is wrong.
    public let code: Code

    /// The option, command, or operand, as typed.
    public let subject: String

    /// The value as typed, or the other option; nil if there is neither.
    public let value: String?

    /// What would be right, as in "a whole number"; nil if the error does not say.
    public let expected: String?

    /// What may have been meant; nil if nothing is near.
    public let suggestion: String?

    /// The tool and the command, as in ["ferry", "mapping", "check"]; empty until the command table has filled it in.
    public internal(set) var command: [String] = []

    /// Makes an error about an option, command or operand, as typed.
    public init(
        _ code: Code, _ subject: String, value: String? = nil, expected: String? = nil, suggestion: String? = nil
    ) {
        self.code = code
        self.subject = subject
        self.value = value
        self.expected = expected
        self.suggestion = suggestion
    }

    /// What is not there: an option with its placeholder, or an operand; alternatives joined by " or ".
    public static func missing(_ what: String) -> UsageError {
        UsageError(.missing, what)
    }

    /// Two options that exclude each other, both as typed: `--output`, `--in-place`.
    public static func conflict(_ option: String, with other: String) -> UsageError {
        UsageError(.conflict, option, value: other)
    }

    /// An option that needs another one, both as typed.
    public static func dependent(_ option: String, on other: String) -> UsageError {
        UsageError(.dependent, option, value: other)
    }

    /// A value that has the right form and is still not acceptable; the nearest of the words that are is suggested.
    public static func badValue(
        _ value: String, of option: String, expected: String, among words: [String] = []
    ) -> UsageError {
        UsageError(
            .badValue, option, value: value, expected: expected, suggestion: NearestName.find(value, among: words))
    }

    /// A value that is not one of the words that the option takes: the message has all of them, and the nearest one.
    public static func badValue(_ value: String, of option: String, amongAll words: [String]) -> UsageError {
        badValue(value, of: option, expected: "one of " + words.joined(separator: ", "), among: words)
    }

    /// An operand that is not what the command takes; the nearest of the words that it does take is suggested.
    public static func badOperand(_ operand: String, expected: String, among words: [String] = []) -> UsageError {
        UsageError(
            .badOperand, operand, expected: expected, suggestion: NearestName.find(operand, among: words))
    }

    static func unknownOption(_ word: String, spelling: String, among flags: [FlagDescription]) -> UsageError {
        let known = flags + [.help]
        // `-nfoo`, where `-n` exists: neither a value that sticks to its option nor several options in one are read.
        if !word.hasPrefix("--"), word.count > 2, let short = word.dropFirst().first,
            let flag = known.first(where: { $0.short == short })
        {
            let separate = flag.takesValue ? "-\(short) \(word.dropFirst(2))" : "-\(short)"
            return UsageError(.unknownOption, word, suggestion: separate)
        }
        return UsageError(
            .unknownOption, spelling, suggestion: NearestName.find(spelling, among: known.map(\.spelling)))
    }

    func within(_ command: [String]) -> UsageError {
        var error = self
        if error.command.isEmpty { error.command = command }
        return error
    }
}

extension UsageError: Equatable {
    public static func == (left: UsageError, right: UsageError) -> Bool {
        left.code == right.code
    }
}

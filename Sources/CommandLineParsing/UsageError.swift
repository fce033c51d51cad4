import TextEncodings

/// Why a command line is refused. Two errors are equal if their codes are.
public struct UsageError: Error, Sendable {
    /// The kind of the error.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// No command is named.
        case missingCommand
        /// No command has that name.
        case unknownCommand
        /// The command has no such option.
        case unknownOption
        /// An option has no value.
        case missingValue
        /// A switch has a value.
        case unexpectedValue
        /// The option does not accept the value.
        case badValue
        /// An option that is not repeatable is given twice.
        case repeatedOption
        /// A required option or operand is missing.
        case missing
        /// There are more operands than the command accepts.
        case surplusOperand
        /// Two options exclude each other.
        case conflict
        /// An option requires another one.
        case dependent
        /// The command does not accept the operand.
        case badOperand
    }

    /// The kind of the error.
    public let code: Code

    /// The option, command, or operand, as typed.
    public let subject: String

    /// The value as typed, or the other option; nil if there is none.
    public let value: String?

    /// The expected value, such as "a whole number"; nil if the error has none.
    public let expected: String?

    /// A suggestion for what was meant; nil if there is none.
    public let suggestion: String?

    /// The tool and the command, such as ["ferry", "mapping", "check"]; empty until the command table has filled it in.
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

    /// Returns an error about a missing option, given with its placeholder, or operand; alternatives are joined by " or
    /// ".
    public static func missing(_ what: String) -> UsageError {
        UsageError(.missing, what)
    }

    /// Returns an error about two options that exclude each other, both as typed: `--output`, `--in-place`.
    public static func conflict(_ option: String, with other: String) -> UsageError {
        UsageError(.conflict, option, value: other)
    }

    /// Returns an error about an option that requires another one, both as typed.
    public static func dependent(_ option: String, on other: String) -> UsageError {
        UsageError(.dependent, option, value: other)
    }

    /// Returns an error about a well-formed value that is not accepted; suggests the nearest of the accepted words.
    public static func badValue(
        _ value: String, of option: String, expected: String, among words: [String] = []
    ) -> UsageError {
        UsageError(
            .badValue, option, value: value, expected: expected, suggestion: NearestName.find(value, among: words))
    }

    /// Returns an error about a value that is not one of the option's words; the message lists all of them, and
    /// suggests the nearest.
    public static func badValue(_ value: String, of option: String, amongAll words: [String]) -> UsageError {
        badValue(value, of: option, expected: "one of " + words.joined(separator: ", "), among: words)
    }

    /// Returns an error about an operand that the command does not accept; suggests the nearest of the accepted words.
    public static func badOperand(_ operand: String, expected: String, among words: [String] = []) -> UsageError {
        UsageError(
            .badOperand, operand, expected: expected, suggestion: NearestName.find(operand, among: words))
    }

    static func unknownOption(_ word: String, spelling: String, among flags: [FlagDescription]) -> UsageError {
        let known = flags + [.help]
        // `-nfoo`, where `-n` exists: values attached to short options, and combined short options, are not supported.
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

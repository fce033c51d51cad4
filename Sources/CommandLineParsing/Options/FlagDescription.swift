/// What an option looks like from outside, without the type whose field it sets: for help, reference, and completions.
public struct FlagDescription: Sendable, Hashable {
    /// The option's name, without the two dashes.
    public let long: String

    /// The letter that stands for the option, without the dash; nil if there is none.
    public let short: Character?

    /// Stands for the value in the help; nil if the option is a switch.
    public let placeholder: String?

    /// What the option does, in a sentence.
    public let help: String

    /// Whether each further time adds a value, instead of being an error.
    public let isRepeatable: Bool

    /// Whether the command cannot do without the option.
    public var isRequired = false

    /// The only values that are accepted; empty if the values can't be listed.
    public let allowedValues: [String]

    /// What the error text asks for, as in "a whole number".
    public let expectation: String

    /// What a shell offers when the value is to be completed.
    public let completion: ValueCompletion

    /// The value that holds without the option; nil if there is none to speak of.
    public let defaultValue: String?

    /// Whether a value follows the option; a switch has none.
    public var takesValue: Bool { placeholder != nil }

    /// As typed: `--name`.
    public var spelling: String { "--" + long }

    /// The option with its value: `--name NAME`.
    public var usage: String {
        placeholder.map { spelling + " " + $0 } ?? spelling
    }

    /// The sentence, the values to choose from, the default, and whether it may be repeated.
    public var fullHelp: String {
        var sentences = [help]
        if !allowedValues.isEmpty { sentences.append("One of: \(allowedValues.joined(separator: ", ")).") }
        if isRepeatable { sentences.append("May be repeated.") }
        if let defaultValue { sentences.append("Default: \(defaultValue).") }
        return sentences.joined(separator: " ")
    }

    /// The option that every command has.
    static let help = FlagDescription(switch: "help", short: "h", help: "Show this help.")

    /// The option that the tool has before its commands.
    static let version = FlagDescription(
        switch: "version", short: nil, help: "Show the version, the commit, and the libraries.")

    init(switch long: String, short: Character?, help: String) {
        self.init(
            long: long, short: short, placeholder: nil, help: help, isRepeatable: false, allowedValues: [],
            expectation: "", completion: .nothing, defaultValue: nil)
    }

    init(
        long: String, short: Character?, placeholder: String?, help: String, isRepeatable: Bool,
        allowedValues: [String], expectation: String, completion: ValueCompletion, defaultValue: String?
    ) {
        self.long = long
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.isRepeatable = isRepeatable
        self.allowedValues = allowedValues
        self.expectation = expectation
        self.completion = completion
        self.defaultValue = defaultValue
    }
}

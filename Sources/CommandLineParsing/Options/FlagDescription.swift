/// The description of an option, independent of the type whose field it sets: for help, reference, and completions.
public struct FlagDescription: Sendable, Hashable {
    /// The option's name, without the two dashes.
    public let long: String

    /// The letter of the short option, without the dash; nil if there is none.
    public let short: Character?

    /// The placeholder for the value in the help; nil if the option is a switch.
    public let placeholder: String?

    /// The effect of the option, as a sentence.
    public let help: String

    /// Whether the option may be repeated to add values.
    public let isRepeatable: Bool

    /// Whether the option is required.
    public var isRequired = false

    /// The only accepted values; empty if they cannot be listed.
    public let allowedValues: [String]

    /// The description of an accepted value in errors, such as "a whole number".
    public let expectation: String

    /// The completion that a shell offers for the value.
    public let completion: ValueCompletion

    /// The default value; nil if there is none to mention.
    public let defaultValue: String?

    /// Whether the option has a value; a switch has none.
    public var takesValue: Bool { placeholder != nil }

    /// The option as typed: `--name`.
    public var spelling: String { "--" + long }

    /// The option with its value: `--name NAME`.
    public var usage: String {
        placeholder.map { spelling + " " + $0 } ?? spelling
    }

    /// The help sentence, with the accepted values, the default, and whether the option may be repeated.
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

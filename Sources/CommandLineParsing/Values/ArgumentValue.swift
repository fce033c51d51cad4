/// A value of an option, parsed from the word after it.
public protocol ArgumentValue: Sendable {
    /// Parses a word; nil if it is not a valid value.
    init?(argument: String)

    /// The value as typed, which is shown as the default in the help.
    var argument: String { get }

    /// The description of a value in errors, such as "a whole number".
    static var expectation: String { get }

    /// The completion that a shell offers for the value.
    static var completion: ValueCompletion { get }
}

extension ArgumentValue {
    /// No completion: a shell cannot guess the value.
    public static var completion: ValueCompletion { .nothing }
}

extension ArgumentValue where Self: RawRepresentable, RawValue: ArgumentValue {
    /// Makes the value whose raw value a word represents; nil if there is none.
    public init?(argument: String) {
        guard let raw = RawValue(argument: argument) else { return nil }
        self.init(rawValue: raw)
    }

    /// The word for the raw value.
    public var argument: String { rawValue.argument }

    /// The description of a value in errors, that of the raw value.
    public static var expectation: String { RawValue.expectation }
}

/// A value that an option can have, read from the word after it.
public protocol ArgumentValue: Sendable {
    /// Makes a value of a word; nil if the word stands for no such value.
    init?(argument: String)

    /// The value as one would type it; shown as the default in the help.
    var argument: String { get }

    /// What the error text asks for, as in "a whole number".
    static var expectation: String { get }

    /// What a shell offers when the value is to be completed.
    static var completion: ValueCompletion { get }
}

extension ArgumentValue {
    /// Nothing: a shell cannot guess the value.
    public static var completion: ValueCompletion { .nothing }
}

extension ArgumentValue where Self: RawRepresentable, RawValue: ArgumentValue {
    /// Makes the value of the word that its raw value has; nil if it has no such value.
    public init?(argument: String) {
        guard let raw = RawValue(argument: argument) else { return nil }
        self.init(rawValue: raw)
    }

    /// The word of the raw value.
    public var argument: String { rawValue.argument }

    /// What an error asks for, as for the raw value.
    public static var expectation: String { RawValue.expectation }
}

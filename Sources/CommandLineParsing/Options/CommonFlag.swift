/// An option that all commands of a tool have, which sets something of the whole process.
public struct CommonFlag: Sendable {
    let description: FlagDescription
    let apply: @Sendable (String) -> Bool

    /// An option with a value between two limits.
    ///
    /// - Parameters:
    ///   - long: the option's name, without the two dashes.
    ///   - range: the values that are accepted, both limits included.
    ///   - placeholder: what stands for the value in the help.
    ///   - help: a sentence that says what the option does.
    ///   - set: called as soon as the word is read.
    public init<Value: ArgumentValue & Comparable & Sendable>(
        _ long: String, within range: ClosedRange<Value>, placeholder: String, _ help: String,
        set: @escaping @Sendable (Value) -> Void
    ) {
        description = FlagDescription(
            long: long, short: nil, placeholder: placeholder, help: help, isRepeatable: false, allowedValues: [],
            expectation: Value.expectation + " from \(range.lowerBound.argument) to \(range.upperBound.argument)",
            completion: Value.completion, defaultValue: nil)
        apply = { word in
            guard let value = Value(argument: word), range.contains(value) else { return false }
            set(value)
            return true
        }
    }

    /// The same as an option of one command.
    func flag<Options: OptionTable>() -> Flag<Options> { Flag(description) { _, word in apply(word) } }
}

/// An option of all commands of a tool, which applies to the whole process.
public struct CommonFlag: Sendable {
    let description: FlagDescription
    let apply: @Sendable (String) -> Bool

    /// Makes an option with a value between two limits.
    ///
    /// - Parameters:
    ///   - long: the option's name, without the two dashes.
    ///   - range: the accepted values, including both limits.
    ///   - placeholder: the placeholder for the value in the help.
    ///   - help: a sentence about the effect of the option.
    ///   - set: called as soon as the value is parsed.
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

    /// Returns the option as one of a single command.
    func flag<Options: OptionTable>() -> Flag<Options> { Flag(description) { _, word in apply(word) } }
}

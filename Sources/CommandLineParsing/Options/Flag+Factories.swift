extension Flag where Options: OptionTable {
    /// A field of the options that an option sets.
    public typealias Path<Value> = any WritableKeyPath<Options, Value> & Sendable

    /// Returns an option without a value.
    public static func `switch`(
        _ long: String, short: Character? = nil, _ path: Path<Bool>, _ help: String
    ) -> Self {
        Flag(FlagDescription(switch: long, short: short, help: help)) { options, _ in
            options[keyPath: path] = true
            return true
        }
    }

    /// Returns an option with a value; the field's initial value is the default.
    public static func value<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, _ path: Path<Value>, placeholder: String, _ help: String
    ) -> Self {
        let initial = Options()[keyPath: path].argument
        let description = FlagDescription(
            long: long, short: short, placeholder: placeholder, help: help, isRepeatable: false, allowedValues: [],
            expectation: Value.expectation, completion: Value.completion,
            defaultValue: initial.isEmpty ? nil : initial)
        return Flag(description) { options, word in
            guard let value = Value(argument: word) else { return false }
            options[keyPath: path] = value
            return true
        }
    }

    /// Returns an option with a value between two limits; the field's initial value is the default.
    public static func value<Value: ArgumentValue & Comparable>(
        _ long: String, short: Character? = nil, _ path: Path<Value>, within range: ClosedRange<Value>,
        placeholder: String, _ help: String
    ) -> Self {
        let limits = " from \(range.lowerBound.argument) to \(range.upperBound.argument)"
        let description = FlagDescription(
            long: long, short: short, placeholder: placeholder, help: help, isRepeatable: false, allowedValues: [],
            expectation: Value.expectation + limits, completion: Value.completion,
            defaultValue: Options()[keyPath: path].argument)
        return Flag(description) { options, word in
            guard let value = Value(argument: word), range.contains(value) else { return false }
            options[keyPath: path] = value
            return true
        }
    }

    /// Returns an option whose field is nil if it is not given.
    public static func optionalValue<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, _ path: Path<Value?>, placeholder: String, _ help: String
    ) -> Self {
        let description = FlagDescription(
            long: long, short: short, placeholder: placeholder, help: help, isRepeatable: false, allowedValues: [],
            expectation: Value.expectation, completion: Value.completion, defaultValue: nil)
        return Flag(description) { options, word in
            guard let value = Value(argument: word) else { return false }
            options[keyPath: path] = value
            return true
        }
    }

    /// Returns a repeatable option, which appends each value. With a separator, one word can contain several values.
    public static func values<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, _ path: Path<[Value]>, separator: Character? = nil,
        placeholder: String, _ help: String
    ) -> Self {
        let description = FlagDescription(
            long: long, short: short, placeholder: placeholder, help: help, isRepeatable: true, allowedValues: [],
            expectation: Value.expectation, completion: Value.completion, defaultValue: nil)
        return Flag(description) { options, word in
            let words = separator.map { word.split(separator: $0, omittingEmptySubsequences: false).map(String.init) }
            for word in words ?? [word] {
                guard separator == nil || !word.isEmpty, let value = Value(argument: word) else { return false }
                options[keyPath: path].append(value)
            }
            return true
        }
    }

    /// Returns an option with one of several words; the field's initial value is the default.
    public static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ long: String, short: Character? = nil, _ path: Path<Value>, placeholder: String, _ help: String
    ) -> Self {
        let initial = Options()[keyPath: path].rawValue
        return choice(long, short, among: Value.self, initial: initial, placeholder, help) { options, value in
            options[keyPath: path] = value
        }
    }

    /// Returns an option with one of several words, whose field is nil if it is not given.
    public static func optionalChoice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ long: String, short: Character? = nil, _ path: Path<Value?>, placeholder: String, _ help: String
    ) -> Self {
        choice(long, short, among: Value.self, initial: nil, placeholder, help) { options, value in
            options[keyPath: path] = value
        }
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ long: String, _ short: Character?, among: Value.Type, initial: String?, _ placeholder: String,
        _ help: String, set: @escaping @Sendable (inout Options, Value) -> Void
    ) -> Self {
        let words = Value.allCases.map(\.rawValue)
        let description = FlagDescription(
            long: long, short: short, placeholder: placeholder, help: help, isRepeatable: false,
            allowedValues: words, expectation: "one of " + words.joined(separator: ", "),
            completion: .words(words), defaultValue: initial)
        return Flag(description) { options, word in
            guard let value = Value(rawValue: word) else { return false }
            set(&options, value)
            return true
        }
    }
}

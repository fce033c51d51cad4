extension String: ArgumentValue {
    /// Makes a text from any word; never nil.
    public init?(argument: String) {
        self = argument
    }

    /// The text itself.
    public var argument: String { self }

    /// The description of a value in errors: a text.
    public static var expectation: String { "a text" }

    /// Most texts on a command line are paths, and for others file names do no harm.
    public static var completion: ValueCompletion { .files }
}

extension Int: ArgumentValue {
    /// Parses a decimal integer with an optional sign; nil for anything else, or out of range.
    public init?(argument: String) {
        self.init(argument, radix: 10)
    }

    /// The number in decimal.
    public var argument: String { String(self) }

    /// The description of a value in errors: a whole number.
    public static var expectation: String { "a whole number" }
}

extension Int64: ArgumentValue {
    /// Parses a decimal integer with an optional sign; nil for anything else, or out of range.
    public init?(argument: String) {
        self.init(argument, radix: 10)
    }

    /// The number in decimal.
    public var argument: String { String(self) }

    /// The description of a value in errors: a whole number.
    public static var expectation: String { "a whole number" }
}

extension Double: ArgumentValue {
    /// Parses a number in decimal notation; nil for anything else, such as "nan", "inf" and hexadecimal digits.
    public init?(argument: String) {
        guard argument.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let value = Double(argument), value.isFinite
        else { return nil }
        self = value
    }

    /// The number in the fewest digits that are parsed as the same number.
    public var argument: String { description }

    /// The description of a value in errors: a number.
    public static var expectation: String { "a number" }
}

extension String: ArgumentValue {
    /// Makes a text of any word; never nil.
    public init?(argument: String) {
        self = argument
    }

    /// The text itself.
    public var argument: String { self }

    /// What an error asks for: a text.
    public static var expectation: String { "a text" }

    /// Most texts on a command line are paths, and file names do no harm where one is not.
    public static var completion: ValueCompletion { .files }
}

extension Int: ArgumentValue {
    /// Makes a number of decimal digits with or without a sign; nil for anything else, and out of range.
    public init?(argument: String) {
        self.init(argument, radix: 10)
    }

    /// The number in decimal.
    public var argument: String { String(self) }

    /// What an error asks for: a whole number.
    public static var expectation: String { "a whole number" }
}

extension Int64: ArgumentValue {
    /// Makes a number of decimal digits with or without a sign; nil for anything else, and out of range.
    public init?(argument: String) {
        self.init(argument, radix: 10)
    }

    /// The number in decimal.
    public var argument: String { String(self) }

    /// What an error asks for: a whole number.
    public static var expectation: String { "a whole number" }
}

extension Double: ArgumentValue {
    /// Makes a number of decimal notation; nil for anything else, such as "nan", "inf" and hexadecimal digits.
    public init?(argument: String) {
        guard argument.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let value = Double(argument), value.isFinite
        else { return nil }
        self = value
    }

    /// The number in the fewest digits that are read as the same.
    public var argument: String { description }

    /// What an error asks for: a number.
    public static var expectation: String { "a number" }
}

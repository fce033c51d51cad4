extension String: ArgumentValue {
    public init?(argument: String) {
        self = argument
    }

    public var argument: String { self }

    public static var expectation: String { "a text" }

    /// Most texts on a command line are paths, and file names do no harm where one is not.
    public static var completion: ValueCompletion { .files }
}

extension Int: ArgumentValue {
    public init?(argument: String) {
        self.init(argument, radix: 10)
    }

    public var argument: String { String(self) }

    public static var expectation: String { "a whole number" }
}

extension Int64: ArgumentValue {
    public init?(argument: String) {
        self.init(argument, radix: 10)
    }

    public var argument: String { String(self) }

    public static var expectation: String { "a whole number" }
}

extension Double: ArgumentValue {
    /// Decimal notation only: no infinity, no "nan", no hexadecimal digits.
    public init?(argument: String) {
        guard argument.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let value = Double(argument), value.isFinite
        else { return nil }
        self = value
    }

    public var argument: String { description }

    public static var expectation: String { "a number" }
}

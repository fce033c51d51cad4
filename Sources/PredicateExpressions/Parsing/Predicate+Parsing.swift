extension Predicate {
    /// Parses a predicate: `name BEGINSWITH[c] "a" AND age > 3`.
    /// - Throws: `FormatError`, with the location.
    public init(format: String) throws(FormatError) {
        try self.init(format: format, arguments: [])
    }

    /// Parses a predicate with placeholders, which are replaced by values: `%K BEGINSWITH[c] %@ AND age > %d`.
    ///
    /// A value is never parsed as a part of the format, regardless of its content; a placeholder in quotes is text.
    /// - Parameters:
    ///   - format: the predicate; `%@` stands for any value, `%K` for a key path, `%d`, `%i` and `%u` for an integer,
    ///     `%f`, `%g` and `%e` for a number.
    ///   - arguments: a value for each placeholder, in their order; key paths as texts.
    /// - Throws: `FormatError`, with the location.
    public init(format: String, arguments: [ConstantValue]) throws(FormatError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.wholePredicate()
    }
}

extension Expression {
    /// Parses an expression: `$source.price * 1.2`.
    /// - Throws: `FormatError`, with the location.
    public init(format: String) throws(FormatError) {
        try self.init(format: format, arguments: [])
    }

    /// Parses an expression with placeholders, which are replaced by values, as in a predicate: `%K * %f`.
    /// - Throws: `FormatError`, with the location.
    public init(format: String, arguments: [ConstantValue]) throws(FormatError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.wholeExpression()
    }
}

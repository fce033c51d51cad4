extension Predicate {
    /// Parses a predicate: `name BEGINSWITH[c] "a" AND age > 3`.
    /// - Throws: `FormatError`, which says what is wrong and where.
    public init(format: String) throws(FormatError) {
        try self.init(format: format, arguments: [])
    }

    /// Parses a predicate with values in the place of its placeholders: `%K BEGINSWITH[c] %@ AND age > %d`.
    ///
    /// A value is never read as a part of the format, whatever it contains; a placeholder in quotes is text.
    /// - Parameters:
    ///   - format: the predicate; `%@` stands for any value, `%K` for a key path, `%d`, `%i` and `%u` for a whole number,
    ///     `%f`, `%g` and `%e` for a number.
    ///   - arguments: a value for each placeholder, in their order; key paths as texts.
    /// - Throws: `FormatError`, which says what is wrong and where.
    public init(format: String, arguments: [ConstantValue]) throws(FormatError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.wholePredicate()
    }
}

extension Expression {
    /// Parses an expression: `$source.price * 1.2`.
    /// - Throws: `FormatError`, which says what is wrong and where.
    public init(format: String) throws(FormatError) {
        try self.init(format: format, arguments: [])
    }

    /// Parses an expression with values in the place of its placeholders, as in a predicate: `%K * %f`.
    /// - Throws: `FormatError`, which says what is wrong and where.
    public init(format: String, arguments: [ConstantValue]) throws(FormatError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.wholeExpression()
    }
}

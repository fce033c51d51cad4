extension Predicate {
    /// Parses a predicate: `name BEGINSWITH[c] "a" AND age > 3`.
    /// - Throws: `FormatError`, which says what is wrong and where.
    public init(format: String) throws(FormatError) {
        var parser = try FormatParser(format)
        self = try parser.wholePredicate()
    }
}

extension Expression {
    /// Parses an expression: `$source.price * 1.2`.
    /// - Throws: `FormatError`, which says what is wrong and where.
    public init(format: String) throws(FormatError) {
        var parser = try FormatParser(format)
        self = try parser.wholeExpression()
    }
}

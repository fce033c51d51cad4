public import PredicateExpressions

extension ConstantValue {
    /// Parses a variable's value as the user types it: an expression without names (`12`, `"12"`, `{1, 2}`, `NULL`,
    /// `CAST("2024-02-29", "NSDate")`), otherwise a string.
    public init(argument: String) {
        if let expression = try? Expression(format: argument), let value = try? expression.constantValue(),
            let constant = ConstantValue(value)
        {
            self = constant
        } else {
            self = .string(argument)
        }
    }

    /// Returns nil for a value that cannot occur in expressions.
    private init?(_ value: ExpressionValue) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .decimal(let number): self = .decimal(number)
        case .string(let text): self = .string(text)
        case .date(let seconds): self = .date(seconds)
        case .data(let bytes): self = .data(bytes)
        case .uuid(let bytes): self = .uuid(bytes)
        case .url(let text): self = .url(text)
        case .array(let values), .set(let values):
            let constants = values.compactMap { ConstantValue($0) }
            guard constants.count == values.count else { return nil }
            self = .array(constants)
        case .object, .className, .host: return nil
        }
    }
}

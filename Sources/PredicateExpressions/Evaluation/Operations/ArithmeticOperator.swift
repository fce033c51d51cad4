import KeyedArchives

/// The operators on two numbers, by their selectors.
///
/// The result is an integer for two integers, a decimal if one side is a decimal, and otherwise real. If there is no
/// result, because of a division by zero or NaN, it is NULL, as in SQLite. `+` concatenates strings, and adds seconds
/// to dates.
enum ArithmeticOperator: String {
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case power = "raise:toPower:"
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"

    /// Returns the result; NULL if a side is NULL.
    func apply(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return try integers(left, right)
        case (.real(let left), .real(let right)) where self != .power && !isBitwise: return reals(left, right)
        case (.string(let left), .string(let right)) where self == .add: return .string(left + right)
        case (.null, _), (_, .null): return .null
        default: break
        }
        if let first = NumberValue(left), let second = NumberValue(right) {
            return try numbers(first, second)
        }
        return try dates(left, right)
    }

    private var isBitwise: Bool {
        switch self {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift: true
        default: false
        }
    }

    private func numbers(_ left: NumberValue, _ right: NumberValue) throws(EvaluationFault) -> ExpressionValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return try integers(left, right)
        case _ where isBitwise:
            throw EvaluationFault(.typeMismatch, "bitwise operators are for integers only")
        case (.decimal, _) where !right.isNotFinite, (_, .decimal) where !left.isNotFinite:
            return try decimals(left.decimal(), right.decimal())
        default: return reals(left.real, right.real)
        }
    }

    private func integers(_ left: Int64, _ right: Int64) throws(EvaluationFault) -> ExpressionValue {
        let result: (partialValue: Int64, overflow: Bool)
        switch self {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide:
            guard right != 0 else { return .null }
            result = left.dividedReportingOverflow(by: right)
        case .modulus:
            guard right != 0 else { return .null }
            return .integer(right == -1 ? 0 : left % right)
        case .power: return reals(Double(left), Double(right))
        case .bitwiseAnd: return .integer(left & right)
        case .bitwiseOr: return .integer(left | right)
        case .bitwiseXor: return .integer(left ^ right)
        case .leftShift: return .integer(left << right)
        case .rightShift: return .integer(left >> right)
        }
        guard !result.overflow else {
            throw EvaluationFault(.overflow, "the result of \(left) and \(right) does not fit an integer of 64 bits")
        }
        return .integer(result.partialValue)
    }

    private func reals(_ left: Double, _ right: Double) -> ExpressionValue {
        let result: Double
        switch self {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply: result = left * right
        case .divide: result = right == 0 ? .nan : left / right
        case .modulus: result = right == 0 ? .nan : left.truncatingRemainder(dividingBy: right)
        default: result = NumberFunction.power(left, right)
        }
        return result.isNaN ? .null : .real(result)
    }

    private func decimals(
        _ left: DecimalNumber, _ right: DecimalNumber
    ) throws(EvaluationFault) -> ExpressionValue {
        switch self {
        case .add: return .decimal(try .sum(left, right))
        case .subtract: return .decimal(try .sum(left, right.negated))
        case .multiply: return .decimal(try .product(left, right))
        case .divide:
            guard right.mantissa != 0 else { return .null }
            return .decimal(try .quotient(left, right))
        case .modulus:
            guard right.mantissa != 0 else { return .null }
            let whole = try DecimalNumber.quotient(left, right).truncated
            return .decimal(try .sum(left, .product(whole, right).negated))
        default: return try power(left, right)
        }
    }

    /// Returns a power: exact for small integer exponents, otherwise real.
    private func power(_ base: DecimalNumber, _ exponent: DecimalNumber) throws(EvaluationFault) -> ExpressionValue {
        guard exponent.exponent == 0, !exponent.isNegative, exponent.mantissa <= 127 else {
            return reals(base.real, exponent.real)
        }
        var result = DecimalNumber(1)
        for _ in 0..<Int(exponent.mantissa) {
            result = try .product(result, base)
        }
        return .decimal(result)
    }

    private func dates(
        _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> ExpressionValue {
        let result: Double?
        var isDate = true
        switch (self, left, right) {
        case (.add, .date(let date), _): result = NumberValue(right).map { date + $0.real }
        case (.add, _, .date(let date)): result = NumberValue(left).map { $0.real + date }
        case (.subtract, .date(let date), .date(let other)): (result, isDate) = (date - other, false)
        case (.subtract, .date(let date), _): result = NumberValue(right).map { date - $0.real }
        default: result = nil
        }
        guard let result else { throw Self.mismatch(self, left, right) }
        return result.isNaN ? .null : isDate ? .date(result) : .real(result)
    }

    private static func mismatch(
        _ function: ArithmeticOperator, _ left: ExpressionValue, _ right: ExpressionValue
    ) -> EvaluationFault {
        let symbol = PredefinedFunction.infixes.first { $0.selector == function.rawValue }?.symbol
        return EvaluationFault(
            .typeMismatch,
            "\(symbol ?? function.rawValue) is not for \(left.kind) and \(right.kind); CAST one of them")
    }
}

extension NumberValue {
    fileprivate var isNotFinite: Bool {
        if case .real(let value) = self { !value.isFinite } else { false }
    }
}

extension SQLCompiler {
    mutating func arithmetic(
        _ function: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand, _ place: Expression
    ) throws(SQLRefusal) -> SQLOperand {
        switch (left.kind, right.kind) {
        case (.null, _), (_, .null): throw refuse(place, "it is always NULL")
        case (.decimal, _), (_, .decimal): throw refuse(place, "decimals are computed exactly, in Swift")
        case (.integer, .integer), (.boolean, .integer), (.integer, .boolean), (.boolean, .boolean):
            return integers(function, left, right)
        case (.integer, .real), (.real, .integer), (.boolean, .real), (.real, .boolean), (.real, .real):
            return try reals(function, checked(left), checked(right), place)
        case (.string, .string) where function == .add:
            return SQLOperand(text: "(\(left.text) || \(right.text))", kind: .string)
        case (.date, .date) where function == .subtract:
            // Whole dates are stored as integers, but their difference is a real.
            return SQLOperand(text: "CAST(\(left.text) - \(right.text) AS REAL)", kind: .real)
        case (.date, .integer), (.date, .real), (.date, .boolean):
            guard function == .add || function == .subtract else { break }
            let sign = function == .add ? "+" : "-"
            return SQLOperand(text: "(\(left.text) \(sign) \(Self.seconds(checked(right))))", kind: .date)
        case (.integer, .date), (.real, .date), (.boolean, .date):
            guard function == .add else { break }
            return SQLOperand(text: "(\(Self.seconds(checked(left))) + \(right.text))", kind: .date)
        default: break
        }
        throw refuse(place, "\(left.kind.name) and \(right.kind.name) are not computed with")
    }

    /// Returns a number that is combined with a date as a real, since two integers would overflow differently.
    private static func seconds(_ operand: SQLOperand) -> String {
        operand.kind == .real ? operand.text : "CAST(\(operand.text) AS REAL)"
    }

    private mutating func reals(
        _ function: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand, _ place: Expression
    ) throws(SQLRefusal) -> SQLOperand {
        let mayBeWhole =
            (left.mayBeWhole || left.kind != .real) && (right.mayBeWhole || right.kind != .real)
        if mayBeWhole, !left.isSmall || !right.isSmall {
            throw refuse(place, "the sum of nothing is an integer, and a result of integers may overflow")
        }
        let text: String
        switch function {
        case .add: text = "(\(left.text) + \(right.text))"
        case .subtract: text = "(\(left.text) - \(right.text))"
        case .multiply: text = "(\(left.text) * \(right.text))"
        case .divide: text = "(\(left.text) / \(right.text))"
        case .modulus: text = self.function(SQLFunction.modulus, left.text, right.text)
        case .power: text = self.function(SQLFunction.power, left.text, right.text)
        default: throw refuse(place, "bitwise operators are for integers only")
        }
        return SQLOperand(text: text, kind: .real, mayBeWhole: mayBeWhole)
    }

    private mutating func integers(
        _ function: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand
    ) -> SQLOperand {
        switch function {
        case .add, .subtract, .multiply, .divide:
            let symbol = PredefinedFunction.infixes.first { $0.selector == function.rawValue }?.symbol ?? "+"
            // Combined with NULL, or in a division by zero, an overflow would not be detected.
            let left = right.isNumberForSure && function != .divide ? left : checked(left)
            let right = left.isNumberForSure ? right : checked(right)
            let bounds = Self.bounds(function, left, right)
            return SQLOperand(
                text: "(\(left.text) \(symbol) \(right.text))", kind: .integer, bounds: bounds,
                isUnchecked: bounds == nil)
        case .modulus: return bits("%", left, right)
        case .power:
            let (left, right) = (checked(left), checked(right))
            return SQLOperand(text: self.function(SQLFunction.power, left.text, right.text), kind: .real)
        case .bitwiseAnd: return bits("&", left, right)
        case .bitwiseOr: return bits("|", left, right)
        case .leftShift: return bits("<<", left, right)
        case .rightShift: return bits(">>", left, right)
        case .bitwiseXor:
            let (left, right) = (checked(left), checked(right))
            return SQLOperand(text: self.function(SQLFunction.exclusiveOr, left.text, right.text), kind: .integer)
        }
    }

    /// Returns a bitwise operation, which would truncate a real, and thus hide an overflow.
    private mutating func bits(_ symbol: String, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand {
        let (left, right) = (checked(left), checked(right))
        return SQLOperand(text: "(\(left.text) \(symbol) \(right.text))", kind: .integer)
    }

    /// Returns the range of the result; nil if it may exceed 64 bits.
    private static func bounds(
        _ function: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand
    ) -> ClosedRange<Int64>? {
        guard !left.isUnchecked, !right.isUnchecked, let first = left.range, let second = right.range else {
            return nil
        }
        var results: [Int64] = []
        for one in [first.lowerBound, first.upperBound] {
            for other in [second.lowerBound, second.upperBound] {
                let result: (partialValue: Int64, overflow: Bool) =
                    switch function {
                    case .add: one.addingReportingOverflow(other)
                    case .subtract: one.subtractingReportingOverflow(other)
                    case .multiply: one.multipliedReportingOverflow(by: other)
                    // A quotient by an integer is no larger in magnitude than the dividend.
                    default: (one, one == .min)
                    }
                guard !result.overflow else { return nil }
                results.append(result.partialValue)
            }
        }
        if function == .divide {
            results += results.map { -$0 } + [0]
        }
        guard let lowest = results.min(), let highest = results.max() else { return nil }
        return lowest...highest
    }
}

extension SQLOperand {
    /// Whether it is small in any case: an empty sum at worst, or of few digits.
    fileprivate var isSmall: Bool {
        if kind == .real { return true }
        return range?.isSmall == true
    }

    /// Whether it is neither NULL nor able to cause an overflow.
    fileprivate var isNumberForSure: Bool {
        if case .integer? = constant { true } else { false }
    }

    /// The range, including that of Booleans.
    fileprivate var range: ClosedRange<Int64>? { bounds ?? (kind == .boolean ? 0...1 : nil) }
}

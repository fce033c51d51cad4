import PredicateExpressions

/// Computes the value of a name in an expression from the value of the expression.
struct ExpressionInverse {
    private let name: String
    private let expression: Expression
    /// The values of other names.
    private let known: [String: Expression]

    init(of name: String, in expression: Expression, known: [String: Expression]) {
        self.name = name
        self.expression = expression
        self.known = known
    }

    /// Returns nil if there is no inverse. Rounding is ignored, so the result must be tested.
    func expression(of value: Expression) -> Expression? { solve(expression, value) }

    private func solve(_ expression: Expression, _ value: Expression) -> Expression? {
        if expression == .keyPath(name) { return value }
        guard case .function(let selector, let arguments) = expression else { return nil }
        if arguments.count == 1 {
            // A text that is the result of an uppercase conversion is equal to its own uppercase conversion.
            let keepsText = ["uppercase:", "lowercase:", "canonical:", "noindex:"].contains(selector)
            return keepsText ? solve(arguments[0], value) : nil
        }
        guard arguments.count == 2 else { return nil }
        let (left, right) = (arguments[0], arguments[1])
        if let other = constant(right) {
            switch selector {
            case "add:to:": return solve(left, .function("from:subtract:", [value, other]))
            case "from:subtract:": return solve(left, .function("add:to:", [value, other]))
            case "multiply:by:": return solve(left, .function("divide:by:", [value, other]))
            case "divide:by:": return solve(left, .function("multiply:by:", [value, other]))
            default: return nil
            }
        }
        guard let other = constant(left) else { return nil }
        switch selector {
        case "add:to:": return solve(right, .function("from:subtract:", [value, other]))
        case "from:subtract:": return solve(right, .function("from:subtract:", [other, value]))
        case "multiply:by:": return solve(right, .function("divide:by:", [value, other]))
        case "divide:by:": return solve(right, .function("divide:by:", [other, value]))
        default: return nil
        }
    }

    /// Returns an expression without the unknown name, in terms of the object. Numbers are reals, so that quotients
    /// have fractions.
    private func constant(_ expression: Expression) -> Expression? {
        switch expression {
        case .constant(.integer(let number)): return .constant(.real(Double(number)))
        case .constant: return expression
        case .keyPath(.evaluatedObject, let path): return known[path]
        case .function(let selector, let arguments):
            var parts: [Expression] = []
            for argument in arguments {
                guard let part = constant(argument) else { return nil }
                parts.append(part)
            }
            return .function(selector, parts)
        default: return nil
        }
    }
}

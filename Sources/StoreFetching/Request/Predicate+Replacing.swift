import PredicateExpressions

extension Predicate {
    /// The same with other expressions, where a closure gives one.
    func replacing(_ replacement: (Expression) -> Expression?) -> Predicate {
        switch self {
        case .constant: return self
        case .not(let part): return .not(part.replacing(replacement))
        case .and(let parts): return .and(parts.map { $0.replacing(replacement) })
        case .or(let parts): return .or(parts.map { $0.replacing(replacement) })
        case .comparison(var comparison):
            comparison.left = comparison.left.replacing(replacement)
            comparison.right = comparison.right.replacing(replacement)
            return .comparison(comparison)
        }
    }
}

extension Expression {
    fileprivate func replacing(_ replacement: (Expression) -> Expression?) -> Expression {
        if let other = replacement(self) { return other }
        func inner(_ expression: Expression) -> Expression { expression.replacing(replacement) }
        switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey: return self
        case .keyPath(let operand, let path): return .keyPath(inner(operand), path)
        case .function(let selector, let arguments): return .function(selector, arguments.map(inner))
        case .invocation(let target, let selector, let arguments):
            return .invocation(target: inner(target), selector: selector, arguments: arguments.map(inner))
        case .aggregate(let elements): return .aggregate(elements.map(inner))
        case .set(let operation, let left, let right): return .set(operation, inner(left), inner(right))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                collection: inner(collection), variable: variable, predicate: predicate.replacing(replacement))
        case .conditional(let predicate, let first, let second):
            return .conditional(predicate.replacing(replacement), then: inner(first), otherwise: inner(second))
        case .fetchRequest(let request, let context, let countOnly):
            return .fetchRequest(request: inner(request), context: inner(context), countOnly: countOnly)
        case .assignment(let variable, let value): return .assignment(variable: variable, inner(value))
        }
    }
}

extension Expression {
    /// The expression with constants in place of variables; variables that are not given stay. The variables of
    /// subqueries are their own.
    public func substituting(_ values: [String: ConstantValue]) -> Expression {
        guard !values.isEmpty else { return self }
        switch self {
        case .variable(let name): return values[name].map { .constant($0) } ?? self
        case .constant, .evaluatedObject, .symbol, .anyKey: return self
        case .keyPath(let operand, let path): return .keyPath(operand.substituting(values), path)
        case .function(let selector, let arguments):
            return .function(selector, arguments.map { $0.substituting(values) })
        case .invocation(let target, let selector, let arguments):
            return .invocation(
                target: target.substituting(values), selector: selector,
                arguments: arguments.map { $0.substituting(values) })
        case .aggregate(let elements): return .aggregate(elements.map { $0.substituting(values) })
        case .set(let operation, let left, let right):
            return .set(operation, left.substituting(values), right.substituting(values))
        case .subquery(let collection, let variable, let predicate):
            var inner = values
            inner[variable] = nil
            return .subquery(
                collection: collection.substituting(values), variable: variable,
                predicate: predicate.substituting(inner))
        case .conditional(let predicate, let first, let second):
            return .conditional(
                predicate.substituting(values), then: first.substituting(values),
                otherwise: second.substituting(values))
        case .fetchRequest(let request, let context, let countOnly):
            return .fetchRequest(
                request: request.substituting(values), context: context.substituting(values), countOnly: countOnly)
        case .assignment(let variable, let value):
            return .assignment(variable: variable, value.substituting(values))
        }
    }
}

extension Predicate {
    /// The predicate with constants in place of variables, so that one that was parsed once serves many values.
    public func substituting(_ values: [String: ConstantValue]) -> Predicate {
        switch self {
        case .constant: return self
        case .not(let operand): return .not(operand.substituting(values))
        case .and(let parts): return .and(parts.map { $0.substituting(values) })
        case .or(let parts): return .or(parts.map { $0.substituting(values) })
        case .comparison(var comparison):
            comparison.left = comparison.left.substituting(values)
            comparison.right = comparison.right.substituting(values)
            return .comparison(comparison)
        }
    }
}

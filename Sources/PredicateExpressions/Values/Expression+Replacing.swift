extension Expression {
    /// Returns the expression with parts replaced for which a closure returns another one.
    ///
    /// The closure is called for an expression before its parts; it also receives the variables of enclosing
    /// subqueries.
    /// - Throws: any error of the closure.
    public func replacing<Failure: Error>(
        _ replacement: (Expression, _ locals: Set<String>) throws(Failure) -> Expression?
    ) throws(Failure) -> Expression {
        try replacing(replacement, within: [])
    }

    fileprivate func replacing<Failure: Error>(
        _ replacement: (Expression, Set<String>) throws(Failure) -> Expression?, within locals: Set<String>
    ) throws(Failure) -> Expression {
        if let other = try replacement(self, locals) { return other }
        func inner(_ part: Expression) throws(Failure) -> Expression { try part.replacing(replacement, within: locals) }
        switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey: return self
        case .keyPath(let operand, let path): return .keyPath(try inner(operand), path)
        case .function(let selector, let arguments): return .function(selector, try arguments.map(inner))
        case .invocation(let target, let selector, let arguments):
            return .invocation(target: try inner(target), selector: selector, arguments: try arguments.map(inner))
        case .aggregate(let elements): return .aggregate(try elements.map(inner))
        case .set(let operation, let left, let right): return .set(operation, try inner(left), try inner(right))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                collection: try inner(collection), variable: variable,
                predicate: try predicate.replacing(replacement, within: locals.union([variable])))
        case .conditional(let predicate, let first, let second):
            return .conditional(
                try predicate.replacing(replacement, within: locals), then: try inner(first),
                otherwise: try inner(second))
        case .fetchRequest(let request, let context, let countOnly):
            return .fetchRequest(request: try inner(request), context: try inner(context), countOnly: countOnly)
        case .assignment(let variable, let value): return .assignment(variable: variable, try inner(value))
        }
    }
}

extension Predicate {
    /// Returns the predicate with expressions in its comparisons replaced by a closure; see `Expression.replacing`.
    /// - Throws: any error of the closure.
    public func replacing<Failure: Error>(
        _ replacement: (Expression, _ locals: Set<String>) throws(Failure) -> Expression?
    ) throws(Failure) -> Predicate {
        try replacing(replacement, within: [])
    }

    fileprivate func replacing<Failure: Error>(
        _ replacement: (Expression, Set<String>) throws(Failure) -> Expression?, within locals: Set<String>
    ) throws(Failure) -> Predicate {
        func inner(_ part: Predicate) throws(Failure) -> Predicate { try part.replacing(replacement, within: locals) }
        switch self {
        case .constant: return self
        case .not(let part): return .not(try inner(part))
        case .and(let parts): return .and(try parts.map(inner))
        case .or(let parts): return .or(try parts.map(inner))
        case .comparison(var comparison):
            comparison.left = try comparison.left.replacing(replacement, within: locals)
            comparison.right = try comparison.right.replacing(replacement, within: locals)
            return .comparison(comparison)
        }
    }
}

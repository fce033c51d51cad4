package import PredicateExpressions

/// The names that an expression uses, and whether it uses anything that records do not have.
package struct ExpressionNames {
    /// The key paths, in order, without duplicates.
    package private(set) var names: [String] = []
    /// A part of the expression that can only be evaluated in an object graph.
    package private(set) var unusable: String?

    package init(_ expression: Expression) {
        visit(expression)
    }

    private mutating func visit(_ expression: Expression) {
        switch expression {
        case .constant: break
        case .keyPath(let base, let path): visit(base, path)
        case .function(_, let arguments), .aggregate(let arguments): arguments.forEach { visit($0) }
        case .conditional(let predicate, let first, let second):
            visit(predicate)
            visit(first)
            visit(second)
        case .evaluatedObject: unusable = unusable ?? "SELF"
        case .variable(let name): unusable = unusable ?? "the variable $\(name)"
        case .invocation: unusable = unusable ?? "a method"
        case .set: unusable = unusable ?? "a set operation"
        case .subquery: unusable = unusable ?? "a SUBQUERY"
        case .fetchRequest: unusable = unusable ?? "a FETCH"
        case .assignment: unusable = unusable ?? "an assignment"
        case .symbol, .anyKey: unusable = unusable ?? "an index"
        }
    }

    private mutating func visit(_ base: Expression, _ path: String) {
        var base = base
        var path = path
        while case .keyPath(let inner, let start) = base {
            path = start + "." + path
            base = inner
        }
        guard case .evaluatedObject = base else { return visit(base) }
        if !names.contains(path) { names.append(path) }
    }

    private mutating func visit(_ predicate: Predicate) {
        switch predicate {
        case .constant: break
        case .not(let inner): visit(inner)
        case .and(let parts), .or(let parts): parts.forEach { visit($0) }
        case .comparison(let comparison):
            visit(comparison.left)
            visit(comparison.right)
        }
    }
}

public import PredicateExpressions

/// The variables of a predicate that need a value from outside, in the order of their first use.
public struct VariableNames {
    /// The names of the variables, without `$` and without duplicates.
    public private(set) var names: [String] = []

    /// Finds the variables of a predicate, without those that subqueries bind.
    public init(of predicate: Predicate) {
        visit(predicate, [])
    }

    private mutating func visit(_ predicate: Predicate, _ locals: Set<String>) {
        switch predicate {
        case .constant: break
        case .comparison(let comparison):
            visit(comparison.left, locals)
            visit(comparison.right, locals)
        case .and(let parts), .or(let parts): parts.forEach { visit($0, locals) }
        case .not(let part): visit(part, locals)
        }
    }

    private mutating func visit(_ expression: Expression, _ locals: Set<String>) {
        switch expression {
        case .constant, .evaluatedObject, .symbol, .anyKey: break
        case .variable(let name): if !locals.contains(name), !names.contains(name) { names.append(name) }
        case .keyPath(let operand, _): visit(operand, locals)
        case .function(_, let arguments), .aggregate(let arguments): arguments.forEach { visit($0, locals) }
        case .invocation(let target, _, let arguments): ([target] + arguments).forEach { visit($0, locals) }
        case .set(_, let left, let right): [left, right].forEach { visit($0, locals) }
        case .subquery(let collection, let variable, let predicate):
            visit(collection, locals)
            visit(predicate, locals.union([variable]))
        case .conditional(let predicate, let first, let second):
            visit(predicate, locals)
            [first, second].forEach { visit($0, locals) }
        case .fetchRequest(let request, let context, _): [request, context].forEach { visit($0, locals) }
        case .assignment(let variable, let value): visit(value, locals.union([variable]))
        }
    }
}

public import PredicateExpressions

/// The key paths in an expression or a predicate that begin at the source object.
public struct ExpressionPaths {
    /// The names of each path, in the order of the text; paths in collections inside `SUBQUERY` are left out.
    public private(set) var paths: [[String]] = []

    /// The variable for the source object; nil for `SELF`, as in filters.
    private let variable: String?

    /// Finds paths from `$source`, as in values.
    public init(_ expression: Expression) {
        variable = "source"
        visit(expression)
    }

    /// Finds paths from `SELF`, as in filters.
    public init(_ predicate: Predicate) {
        variable = nil
        visit(predicate)
    }

    private mutating func visit(_ predicate: Predicate) {
        switch predicate {
        case .constant: break
        case .comparison(let comparison):
            visit(comparison.left)
            visit(comparison.right)
        case .and(let parts), .or(let parts): parts.forEach { visit($0) }
        case .not(let part): visit(part)
        }
    }

    private mutating func visit(_ expression: Expression) {
        switch expression {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .fetchRequest: break
        case .keyPath(let base, let path):
            if isSource(base) {
                paths.append(path.split(separator: ".").map(String.init))
            } else {
                visit(base)
            }
        case .function(_, let arguments), .aggregate(let arguments): arguments.forEach { visit($0) }
        case .invocation(let target, let selector, let arguments):
            let isValue = selector == "valueForKey:" || selector == "valueForKeyPath:"
            if isValue, isSource(target), case .constant(.string(let path))? = arguments.first {
                paths.append(path.split(separator: ".").map(String.init))
            } else {
                visit(target)
                arguments.forEach { visit($0) }
            }
        case .set(_, let left, let right):
            visit(left)
            visit(right)
        case .subquery(let collection, _, _): visit(collection)
        case .conditional(let predicate, let then, let otherwise):
            visit(predicate)
            visit(then)
            visit(otherwise)
        case .assignment(_, let value): visit(value)
        }
    }

    private func isSource(_ expression: Expression) -> Bool {
        switch (expression, variable) {
        case (.evaluatedObject, nil): true
        case (.variable(let name), let variable?): name == variable
        default: false
        }
    }
}

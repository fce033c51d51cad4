extension SQLCompiler {
    /// Returns whether the value of an expression depends on a row.
    func needsRow(_ expression: Expression) -> Bool {
        switch expression {
        case .constant, .symbol, .anyKey: false
        case .evaluatedObject: true
        case .variable: start(expression) != nil
        case .keyPath(let base, _): needsRow(base)
        case .function(_, let arguments), .aggregate(let arguments): arguments.contains { needsRow($0) }
        case .invocation(let target, _, let arguments): needsRow(target) || arguments.contains { needsRow($0) }
        case .set(_, let left, let right): needsRow(left) || needsRow(right)
        case .subquery(let collection, _, let predicate): needsRow(collection) || needsRow(predicate)
        case .conditional(let predicate, let first, let second):
            needsRow(predicate) || needsRow(first) || needsRow(second)
        case .fetchRequest(let request, let context, _): needsRow(request) || needsRow(context)
        case .assignment(_, let value): needsRow(value)
        }
    }

    private func needsRow(_ predicate: Predicate) -> Bool {
        switch predicate {
        case .constant: false
        case .comparison(let comparison): needsRow(comparison.left) || needsRow(comparison.right)
        case .and(let parts), .or(let parts): parts.contains { needsRow($0) }
        case .not(let operand): needsRow(operand)
        }
    }
}

extension Expression {
    /// Returns the expression with constants substituted for variables; other variables, and those of subqueries, are
    /// kept.
    public func substituting(_ values: [String: ConstantValue]) -> Expression {
        values.isEmpty ? self : replacing { $0.constant(among: values, without: $1) }
    }

    fileprivate func constant(among values: [String: ConstantValue], without locals: Set<String>) -> Expression? {
        guard case .variable(let name) = self, !locals.contains(name) else { return nil }
        return values[name].map { .constant($0) }
    }
}

extension Predicate {
    /// Returns the predicate with constants substituted for variables, so that it has to be parsed only once for many
    /// values.
    public func substituting(_ values: [String: ConstantValue]) -> Predicate {
        values.isEmpty ? self : replacing { $0.constant(among: values, without: $1) }
    }
}

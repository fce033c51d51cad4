extension Expression {
    /// The expression with constants in place of variables; variables that are not given stay. The variables of
    /// subqueries are their own.
    public func substituting(_ values: [String: ConstantValue]) -> Expression {
        values.isEmpty ? self : replacing { $0.constant(among: values, without: $1) }
    }

    fileprivate func constant(among values: [String: ConstantValue], without locals: Set<String>) -> Expression? {
        guard case .variable(let name) = self, !locals.contains(name) else { return nil }
        return values[name].map { .constant($0) }
    }
}

extension Predicate {
    /// The predicate with constants in place of variables, so that one that was parsed once serves many values.
    public func substituting(_ values: [String: ConstantValue]) -> Predicate {
        values.isEmpty ? self : replacing { $0.constant(among: values, without: $1) }
    }
}

extension Expression {
    /// Resolves the names, once for all rows.
    ///
    /// - Parameters:
    ///   - names: resolves the names in the expression.
    ///   - limits: the limits of an evaluation, which are errors if exceeded.
    /// - Throws: `EvaluationError` for unknown names and invalid expressions, or any error of the resolver.
    public func compile(
        resolving names: inout some NameResolver, limits: EvaluationLimits = EvaluationLimits()
    ) throws -> ExpressionProgram {
        var compiler = ProgramCompiler(names, whole: .expression(self), limits: limits)
        defer { names = compiler.names }
        return ExpressionProgram(program: try compiler.program())
    }

    /// Returns the value of an expression without names.
    /// - Throws: `EvaluationError` if the expression has names, or cannot be evaluated.
    public func constantValue(now: Double = 0) throws -> ExpressionValue {
        var names = RecordNames([])
        return try compile(resolving: &names).evaluate(in: RecordContext(now: now))
    }
}

extension Predicate {
    /// Resolves the names, once for all rows.
    /// - Throws: `EvaluationError` for unknown names and invalid predicates, or any error of the resolver.
    public func compile(
        resolving names: inout some NameResolver, limits: EvaluationLimits = EvaluationLimits()
    ) throws -> PredicateProgram {
        var compiler = ProgramCompiler(names, whole: .predicate(self), limits: limits)
        defer { names = compiler.names }
        return PredicateProgram(program: try compiler.program())
    }
}

extension Expression {
    /// Resolves the names, once for all rows.
    ///
    /// - Parameters:
    ///   - names: knows the names that stand in the expression.
    ///   - limits: beyond them an evaluation is an error.
    /// - Throws: `EvaluationError` for names that the resolver does not know and for what has no meaning at all, or
    ///   what the resolver throws.
    public func compile(
        resolving names: inout some NameResolver, limits: EvaluationLimits = EvaluationLimits()
    ) throws -> ExpressionProgram {
        var compiler = ProgramCompiler(names, whole: .expression(self), limits: limits)
        defer { names = compiler.names }
        return ExpressionProgram(program: try compiler.program())
    }

    /// The value of an expression that has no names in it.
    /// - Throws: `EvaluationError` if the expression has names, or has no value.
    public func constantValue(now: Double = 0) throws -> ExpressionValue {
        var names = RecordNames([])
        return try compile(resolving: &names).evaluate(in: RecordContext(now: now))
    }
}

extension Predicate {
    /// Resolves the names, once for all rows.
    /// - Throws: `EvaluationError` for names that the resolver does not know and for what has no meaning at all, or
    ///   what the resolver throws.
    public func compile(
        resolving names: inout some NameResolver, limits: EvaluationLimits = EvaluationLimits()
    ) throws -> PredicateProgram {
        var compiler = ProgramCompiler(names, whole: .predicate(self), limits: limits)
        defer { names = compiler.names }
        return PredicateProgram(program: try compiler.program())
    }
}

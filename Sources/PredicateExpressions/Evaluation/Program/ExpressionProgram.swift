/// A compiled expression: its names are slots, so that an evaluation requires no lookups by name.
///
///     var names = RecordNames(["price", "count"])
///     let program = try Expression(format: "price * count").compile(resolving: &names)
///     let value = try program.evaluate(in: RecordContext([.integer(3), .integer(4)]))
public struct ExpressionProgram: Sendable {
    let program: Program

    /// Returns the expression's value for the context's row.
    /// - Throws: `EvaluationError`, with the part of the expression that cannot be evaluated, or any error of the
    ///   context.
    public func evaluate(in context: some EvaluationContext) throws -> ExpressionValue {
        var evaluator = Evaluator(program, context)
        return try evaluator.evaluate()
    }

    /// Returns the expression's value for a record; like the generic method, but specialized for this context.
    /// - Throws: `EvaluationError`, with the part of the expression that cannot be evaluated.
    public func evaluate(in record: RecordContext) throws -> ExpressionValue {
        var evaluator = Evaluator(program, record)
        return try evaluator.evaluate()
    }
}

/// A compiled predicate.
public struct PredicateProgram: Sendable {
    let program: Program

    /// Returns whether the predicate is true for the context's row; nil if unknown because of a NULL.
    /// - Throws: `EvaluationError`, with the part of the predicate that cannot be evaluated, or any error of the
    ///   context.
    public func evaluate(in context: some EvaluationContext) throws -> Bool? {
        var evaluator = Evaluator(program, context)
        return try evaluator.evaluateTruth()
    }

    /// Returns whether the predicate is true; unknown counts as false, as in SQL's WHERE.
    /// - Throws: `EvaluationError`, with the part of the predicate that cannot be evaluated, or any error of the
    ///   context.
    public func matches(in context: some EvaluationContext) throws -> Bool {
        try evaluate(in: context) == true
    }
}

/// A compiled expression: its names are slots, so that evaluating it for a row looks nothing up.
///
///     var names = RecordNames(["price", "count"])
///     let program = try Expression(format: "price * count").compile(resolving: &names)
///     let value = try program.evaluate(in: RecordContext([.integer(3), .integer(4)]))
public struct ExpressionProgram: Sendable {
    let program: Program

    /// The expression's value for the context's row.
    /// - Throws: `EvaluationError`, with the part of the expression that has no value, or what the context throws.
    public func evaluate(in context: some EvaluationContext) throws -> ExpressionValue {
        var evaluator = Evaluator(program, context)
        return try evaluator.evaluate()
    }

    /// The expression's value for a record: as the other one, but compiled for this context.
    /// - Throws: `EvaluationError`, with the part of the expression that has no value.
    public func evaluate(in record: RecordContext) throws -> ExpressionValue {
        var evaluator = Evaluator(program, record)
        return try evaluator.evaluate()
    }
}

/// A compiled predicate.
public struct PredicateProgram: Sendable {
    let program: Program

    /// Whether the predicate holds for the context's row; nil if that is unknown because of a NULL.
    /// - Throws: `EvaluationError`, with the part of the predicate that has no value, or what the context throws.
    public func evaluate(in context: some EvaluationContext) throws -> Bool? {
        var evaluator = Evaluator(program, context)
        return try evaluator.evaluateTruth()
    }

    /// Whether the predicate holds for sure; unknown is no, as in SQL's WHERE.
    /// - Throws: `EvaluationError`, with the part of the predicate that has no value, or what the context throws.
    public func matches(in context: some EvaluationContext) throws -> Bool {
        try evaluate(in: context) == true
    }
}

/// Gives the values of the slots that a `NameResolver` handed out, for the row that is being evaluated.
///
/// It is called several times for each row: a context reads from where the row lies, and makes no dictionaries.
public protocol EvaluationContext {
    /// The value of a name that starts at `SELF` or at a variable.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func value(at slot: Int) throws -> ExpressionValue

    /// The value of a name that starts at an object.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue

    /// The value of a name where the object is missing: NULL, or no objects where the name leads to many.
    func absentValue(at slot: Int) -> ExpressionValue

    /// The result of a method. The target is `.null` where the expression names a class or `SELF` without a value.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func call(_ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]) throws -> ExpressionValue

    /// What `FETCH(request, context, countOnly)` finds: a collection of objects, or their number.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func fetch(
        request: ExpressionValue, context: ExpressionValue, countOnly: Bool
    ) throws -> ExpressionValue

    /// The moment that `now()` gives, in seconds since 2001: one for a whole run, so that a run can be repeated.
    var now: Double { get }
}

extension EvaluationContext {
    /// An error: objects have no properties unless the context says otherwise.
    /// - Throws: `EvaluationFault` with code `unsupported`, always.
    public func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "objects have no properties here")
    }

    /// NULL, as for a name that leads to one value.
    public func absentValue(at slot: Int) -> ExpressionValue { .null }

    /// An error: there are no methods unless the context says otherwise.
    /// - Throws: `EvaluationFault` with code `unsupported`, always.
    public func call(
        _ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]
    ) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "no method can be called here")
    }

    /// An error: nothing can be fetched unless the context says otherwise.
    /// - Throws: `EvaluationFault` with code `unsupported`, always.
    public func fetch(
        request: ExpressionValue, context: ExpressionValue, countOnly: Bool
    ) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "nothing can be fetched here")
    }
}

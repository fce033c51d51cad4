/// Provides the values of the slots that a `NameResolver` assigned, for the current row.
///
/// It is called several times for each row, so a context should read directly from the row, and not make dictionaries.
public protocol EvaluationContext {
    /// Returns the value of a name that starts at `SELF` or at a variable.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func value(at slot: Int) throws -> ExpressionValue

    /// Returns the value of a name that starts at an object.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue

    /// Returns the value of a name if the object is missing: NULL, or an empty collection if the name leads to many
    /// objects.
    func absentValue(at slot: Int) -> ExpressionValue

    /// Returns the result of a method. The target is `.null` if the expression names a class, or `SELF` without a
    /// value.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func call(_ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]) throws -> ExpressionValue

    /// Returns the result of `FETCH(request, context, countOnly)`: a collection of objects, or their number.
    /// - Throws: any error, such as `EvaluationFault`, which ends the evaluation.
    func fetch(
        request: ExpressionValue, context: ExpressionValue, countOnly: Bool
    ) throws -> ExpressionValue

    /// The value of `now()`, in seconds since 2001: the same throughout a run, so that a run can be repeated.
    var now: Double { get }
}

extension EvaluationContext {
    /// Throws, since objects have no properties by default.
    /// - Throws: `EvaluationFault` with code `unsupported`, always.
    public func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "objects have no properties here")
    }

    /// Returns NULL, as for a name that leads to one value.
    public func absentValue(at slot: Int) -> ExpressionValue { .null }

    /// Throws, since there are no methods by default.
    /// - Throws: `EvaluationFault` with code `unsupported`, always.
    public func call(
        _ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]
    ) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "no method can be called here")
    }

    /// Throws, since fetches are not supported by default.
    /// - Throws: `EvaluationFault` with code `unsupported`, always.
    public func fetch(
        request: ExpressionValue, context: ExpressionValue, countOnly: Bool
    ) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "nothing can be fetched here")
    }
}

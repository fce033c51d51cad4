/// Gives the values of the slots that a `NameResolver` handed out, for the row that is being evaluated.
///
/// It is called several times for each row: a context reads from where the row lies, and makes no dictionaries.
public protocol EvaluationContext {
    /// The value of a name that starts at `SELF` or at a variable.
    func value(at slot: Int) throws -> ExpressionValue

    /// The value of a name that starts at an object.
    func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue

    /// The value of a name where the object is missing: NULL, or no objects where the name leads to many.
    func absentValue(at slot: Int) -> ExpressionValue

    /// The result of a method. The target is `.null` where the expression names a class or `SELF` without a value.
    func call(_ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]) throws -> ExpressionValue

    /// What `FETCH(request, context, countOnly)` finds: a collection of objects, or their number.
    func fetch(
        request: ExpressionValue, context: ExpressionValue, countOnly: Bool
    ) throws -> ExpressionValue

    /// The moment that `now()` gives, in seconds since 2001: one for a whole run, so that a run can be repeated.
    var now: Double { get }
}

extension EvaluationContext {
    public func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "objects have no properties here")
    }

    public func absentValue(at slot: Int) -> ExpressionValue { .null }

    public func call(
        _ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]
    ) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "no method can be called here")
    }

    public func fetch(
        request: ExpressionValue, context: ExpressionValue, countOnly: Bool
    ) throws -> ExpressionValue {
        throw EvaluationFault(.unsupported, "nothing can be fetched here")
    }
}

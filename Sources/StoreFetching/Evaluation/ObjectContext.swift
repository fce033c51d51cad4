import PredicateExpressions

/// The object that a program is evaluated for.
struct ObjectContext: EvaluationContext {
    let reader: ObjectReader
    /// What the slots stand for.
    let names: [String]
    let object: ObjectReference
    let now: Double

    func value(at slot: Int) throws -> ExpressionValue {
        slot == 0 ? .object(object) : try reader.value(names[slot], of: object)
    }

    func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue {
        try reader.value(names[slot], of: object)
    }
}

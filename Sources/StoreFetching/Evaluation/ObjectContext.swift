import PredicateExpressions

/// The object that a program is evaluated for.
struct ObjectContext: EvaluationContext {
    let reader: PropertyReader
    /// What the slots stand for.
    let names: [ObjectSlot]
    let object: ObjectReference
    /// `$FETCH_SOURCE`, where there is one.
    let source: ObjectReference?
    let now: Double

    func value(at slot: Int) throws -> ExpressionValue {
        let name = names[slot]
        guard let start = name.isOfSource ? source : object else { return .null }
        return name.name.isEmpty ? .object(start) : try reader.value(name.name, of: start)
    }

    func value(at slot: Int, of object: ObjectReference) throws -> ExpressionValue {
        try reader.value(names[slot].name, of: object)
    }

    /// Where a path ends before its to-many relationship, there are no objects: as in SQL.
    func absentValue(at slot: Int) -> ExpressionValue { names[slot].isToMany ? .array([]) : .null }
}

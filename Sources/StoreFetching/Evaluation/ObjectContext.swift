import PredicateExpressions

/// The object for which a program is evaluated.
struct ObjectContext: EvaluationContext {
    let reader: PropertyReader
    /// The properties that slots refer to.
    let names: [ObjectSlot]
    let object: ObjectReference
    /// The object of `$FETCH_SOURCE`, if there is one.
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

    /// Returns an empty collection if a path ends before its to-many relationship, as in SQL.
    func absentValue(at slot: Int) -> ExpressionValue { names[slot].isToMany ? .array([]) : .null }
}

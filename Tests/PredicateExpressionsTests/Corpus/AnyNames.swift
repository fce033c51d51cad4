import PredicateExpressions

/// Knows every name, and gives for each its own text; for a few of the corpus a value of their type.
struct AnyNames: NameResolver, EvaluationContext {
    let now = 7.0
    private var names: [String] = []

    mutating func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        // The value's own keys are not taken from it.
        let count = start == .object ? 1 : path.count - (path.last == "absoluteString" ? 1 : 0)
        if start == .object, path.first == "absoluteString" { return nil }
        names.append("\(start) " + path.prefix(count).joined(separator: "."))
        return ResolvedName(slot: names.count - 1, keyCount: count)
    }

    mutating func slot(ofMethod selector: String, on target: MethodTarget) -> Int? {
        names.append("\(target).\(selector)")
        return names.count - 1
    }

    func value(at slot: Int) -> ExpressionValue {
        let name = names[slot]
        if name.hasSuffix(" ads") || name.hasSuffix(" countries") {
            return .set([.object(ObjectReference(entity: 1, key: 1)), .object(ObjectReference(entity: 1, key: 2))])
        }
        if name.hasSuffix(" messageID") { return .integer(9999) }
        if name.hasSuffix("URL") || name.hasSuffix(" url") { return .url("https://example.org/") }
        return .string(name)
    }

    func value(at slot: Int, of object: ObjectReference) -> ExpressionValue {
        .string("\(names[slot]) \(object.key)")
    }

    func call(_ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]) -> ExpressionValue {
        .array([.string(names[slot]), target] + arguments)
    }
}

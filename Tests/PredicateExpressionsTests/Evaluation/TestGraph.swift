import KeyedArchives
import PredicateExpressions

/// A little object graph: Ann and Bob work at a department, and Ann has three pets.
struct TestGraph: NameResolver, EvaluationContext {
    var now = 1000.0
    private var names: [String] = []

    static let ann = ObjectReference(entity: 1, key: 1)
    static let bob = ObjectReference(entity: 1, key: 2)
    private static let department = ObjectReference(entity: 2, key: 1)

    private static let properties: [ObjectReference: [String: ExpressionValue]] = [
        ann: [
            "name": .string("Ann"), "age": .integer(30), "salary": .real(10.5), "boss": .object(bob),
            "department": .object(department), "nickname": .null, "isAdult": .boolean(true),
            "home": .url("https://example.org/ann?x=1"), "born": .date(86_400),
            "pets": .set((1...3).map { .object(ObjectReference(entity: 3, key: $0)) }),
            "price": .decimal(decimal("0.1")), "identifier": .uuid(Array(0..<16)),
        ],
        bob: ["name": .string("Bob"), "age": .integer(50), "boss": .null, "pets": .set([])],
        department: ["name": .string("Köln"), "people": .set([.object(ann), .object(bob)])],
        ObjectReference(entity: 3, key: 1): ["name": .string("Rex"), "weight": .real(2.5)],
        ObjectReference(entity: 3, key: 2): ["name": .string("Tom"), "weight": .real(0.5)],
        ObjectReference(entity: 3, key: 3): ["name": .string("Rex"), "weight": .null],
    ]

    private static func decimal(_ text: String) -> DecimalNumber {
        DecimalNumber(text) ?? .notANumber
    }

    mutating func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        let name: String
        switch start {
        case .evaluatedObject, .variable("source"): name = path.first ?? "SELF"
        case .variable("manager"):
            guard path.isEmpty || path.first == "sourceContext" else { return nil }
            name = "$manager"
        case .variable("seven"): name = "$seven"
        case .variable("nothing"): name = "$nothing"
        case .variable: return nil
        case .object:
            guard let first = path.first, Self.properties.values.contains(where: { $0[first] != nil }) else {
                return nil
            }
            name = first
        }
        guard start == .object || name.hasPrefix("$") || name == "SELF" || Self.properties[Self.ann]?[name] != nil
        else { return nil }
        names.append(name)
        return ResolvedName(slot: names.count - 1, keyCount: min(path.count, 1))
    }

    mutating func slot(ofMethod selector: String, on target: MethodTarget) -> Int? {
        guard target == .variable("manager") || target == .className("Greeter") else { return nil }
        names.append(selector)
        return names.count - 1
    }

    func value(at slot: Int) -> ExpressionValue {
        switch names[slot] {
        case "SELF": .object(Self.ann)
        case "$manager": .host(1)
        case "$seven": .integer(7)
        case "$nothing": .null
        case let name: Self.properties[Self.ann]?[name] ?? .null
        }
    }

    func value(at slot: Int, of object: ObjectReference) -> ExpressionValue {
        Self.properties[object]?[names[slot]] ?? .null
    }

    func call(_ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]) -> ExpressionValue {
        .array([.string(names[slot]), target] + arguments)
    }

    func fetch(request: ExpressionValue, context: ExpressionValue, countOnly: Bool) -> ExpressionValue {
        countOnly ? .integer(2) : .array([.object(Self.ann), .object(Self.bob)])
    }
}

extension TestGraph {
    static func value(_ text: String) throws -> ExpressionValue {
        var graph = TestGraph()
        return try FormatExpression(format: text).compile(resolving: &graph).evaluate(in: graph)
    }

    static func truth(_ text: String) throws -> Bool? {
        var graph = TestGraph()
        return try FormatPredicate(format: text).compile(resolving: &graph).evaluate(in: graph)
    }
}

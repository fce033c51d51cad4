import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The names in an expression that calls a policy: paths from `$source`, the policy's methods, and names that are not
/// values.
struct PolicyNames: NameResolver {
    private(set) var paths: [String] = []
    private(set) var methods: [String] = []

    /// The slot of `$manager` and other names that policies do not need as arguments, because they have access to them
    /// anyway.
    static let host = Int.max

    mutating func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        guard case .variable(let name) = start else { return nil }
        guard name == "source", !path.isEmpty else { return ResolvedName(slot: Self.host, keyCount: 0) }
        let joined = path.joined(separator: ".")
        let known = paths.firstIndex(of: joined)
        if known == nil { paths.append(joined) }
        return ResolvedName(slot: known ?? paths.count - 1, keyCount: path.count)
    }

    mutating func slot(ofMethod selector: String, on target: MethodTarget) -> Int? {
        guard target == .variable("entityPolicy") else { return nil }
        methods.append(selector)
        return methods.count - 1
    }
}

/// The source row for which an expression is evaluated, and the policy that the expression calls.
struct PolicyExpressionContext: EvaluationContext {
    let call: PolicyValueCall
    let firstColumn: Int
    let source: SourceObject
    let policy: EntityMigrationPolicy
    let context: MigrationContext
    let now: Double

    func value(at slot: Int) throws -> ExpressionValue {
        guard slot < call.kinds.count else { return .host(0) }
        return ExpressionValue(stored: try source.row.value(Int32(firstColumn + slot)), kind: call.kinds[slot])
    }

    func call(_ slot: Int, on target: ExpressionValue, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
        ExpressionValue(
            try policy.value(
                ofMethod: call.methods[slot], arguments.map(\.attributeValue), for: source, in: context))
    }
}

extension Expression {
    /// Whether the expression calls the policy.
    var callsPolicy: Bool { format.contains("$entityPolicy") }
}

import ManagedObjectModels
import PersistentStores
import PredicateExpressions

/// The predicates that an attribute's values must satisfy.
struct ValueCheck: Sendable {
    private let program: PredicateProgram?

    /// Predicates that cannot be evaluated, as text: values are generated without them.
    let unknown: [String]

    /// - Parameter predicates: the predicates, in which `SELF` is the value.
    init(_ predicates: [Predicate]) {
        var names = ValueNames()
        var unknown: [String] = []
        let usable = predicates.filter { predicate in
            do {
                _ = try predicate.compile(resolving: &names)
                return true
            } catch {
                unknown.append(predicate.format)
                return false
            }
        }
        program = usable.isEmpty ? nil : try? Predicate.all(of: usable).compile(resolving: &names)
        self.unknown = unknown
    }

    /// Returns whether a value satisfies all predicates; one that cannot be evaluated for it counts as not satisfied.
    func accepts(_ value: AttributeValue) -> Bool {
        guard let program else { return true }
        return (try? program.matches(in: RecordContext([ExpressionValue(value)]))) ?? false
    }
}

import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// A regular expression or a validation predicate of one attribute, prepared for a loop.
struct PredicateRule: Sendable {
    let program: PredicateProgram
    let fault: ValidationFault
    let kind: SQLValueKind

    /// Returns whether a value satisfies the rule; nil if the predicate cannot be evaluated for it.
    func holds(for value: SQLiteValue) -> Bool? {
        let context = RecordContext([ExpressionValue(stored: value, kind: kind)])
        return (try? program.evaluate(in: context)).map { $0 == true }
    }
}

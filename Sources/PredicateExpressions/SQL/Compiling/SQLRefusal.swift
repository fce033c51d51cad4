/// Why an expression cannot be compiled to SQL. It can still be evaluated in Swift.
public struct SQLRefusal: Error, Hashable, Sendable {
    /// The part without an SQL form, as text.
    public let part: String
    /// Why SQL cannot compute it, as a clause.
    public let reason: String
    /// The error, if the part is invalid in any evaluation.
    var mistake: Mistake?

    struct Mistake: Hashable, Sendable {
        let fault: EvaluationFault
        let comparison: ComparisonPredicate
    }

    init(part: String, reason: String) {
        self.part = part
        self.reason = reason
    }

    /// Makes the refusal of a comparison that is invalid in Swift, too.
    init(_ comparison: ComparisonPredicate, _ fault: EvaluationFault) {
        self.init(part: Predicate.comparison(comparison).format, reason: fault.detail)
        mistake = Mistake(fault: fault, comparison: comparison)
    }

    /// Returns the error if the predicate is invalid for all rows; nil if Swift can evaluate it.
    public func error(in predicate: Predicate) -> EvaluationError? {
        mistake.map {
            EvaluationError($0.fault, at: .predicate(.comparison($0.comparison)), in: .predicate(predicate))
        }
    }
}

extension SQLRefusal: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String { "\(part) cannot be evaluated in SQL: \(reason)" }
}

/// Why an expression cannot become SQL. It can be evaluated in Swift all the same.
public struct SQLRefusal: Error, Hashable, Sendable {
    /// The part that has no counterpart, as it is printed.
    public let part: String
    /// Why SQL does not compute it, as a clause.
    public let reason: String
    /// Set where the part is a mistake, whatever evaluates it.
    var mistake: Mistake?

    struct Mistake: Hashable, Sendable {
        let fault: EvaluationFault
        let comparison: ComparisonPredicate
    }

    init(part: String, reason: String) {
        self.part = part
        self.reason = reason
    }

    /// A comparison that has no meaning in Swift either.
    init(_ comparison: ComparisonPredicate, _ fault: EvaluationFault) {
        self.init(part: Predicate.comparison(comparison).format, reason: fault.detail)
        mistake = Mistake(fault: fault, comparison: comparison)
    }

    /// The error, where the predicate has no meaning for any row; nil if Swift can evaluate it.
    public func error(in predicate: Predicate) -> EvaluationError? {
        mistake.map {
            EvaluationError($0.fault, at: .predicate(.comparison($0.comparison)), in: .predicate(predicate))
        }
    }
}

extension SQLRefusal: CustomStringConvertible {
    /// One sentence; its wording may change.
    public var description: String { "\(part) cannot be evaluated in SQL: \(reason)" }
}

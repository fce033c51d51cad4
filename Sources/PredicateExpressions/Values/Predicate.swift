/// A predicate of the predicate format language, the counterpart of `NSPredicate`.
public indirect enum Predicate: Hashable, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`: always true, or always false.
    case constant(Bool)
    /// A comparison of two expressions.
    case comparison(ComparisonPredicate)
    /// Two or more predicates, all of which must be true; use `all(of:)` to make it.
    case and([Predicate])
    /// Two or more predicates, at least one of which must be true; use `any(of:)` to make it.
    case or([Predicate])
    /// `NOT`: the predicate must not be true.
    case not(Predicate)

    /// Returns the conjunction of predicates: a single one is returned itself, and an empty list is true.
    public static func all(of predicates: [Predicate]) -> Predicate {
        predicates.count > 1 ? .and(predicates) : predicates.first ?? .constant(true)
    }

    /// Returns the disjunction of predicates: a single one is returned itself, and an empty list is false.
    public static func any(of predicates: [Predicate]) -> Predicate {
        predicates.count > 1 ? .or(predicates) : predicates.first ?? .constant(false)
    }

    /// Returns a comparison without modifier.
    public static func comparison(
        _ left: Expression, _ comparisonOperator: ComparisonOperator, _ right: Expression,
        _ options: ComparisonOptions = []
    ) -> Predicate {
        .comparison(ComparisonPredicate(left, comparisonOperator, right, options: options))
    }
}

/// `Predicate`, for files that also import Foundation, which has a type of that name.
public typealias FormatPredicate = Predicate

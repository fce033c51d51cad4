/// A predicate of the predicate format language, as `NSPredicate` holds it.
public indirect enum Predicate: Hashable, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`: it always holds, or never.
    case constant(Bool)
    /// Two expressions and how they are compared.
    case comparison(ComparisonPredicate)
    /// Two or more predicates, all of which must hold; make it with `all(of:)`.
    case and([Predicate])
    /// Two or more predicates, one of which must hold; make it with `any(of:)`.
    case or([Predicate])
    /// `NOT`: the predicate must not hold.
    case not(Predicate)

    /// All of the predicates: one stands for itself, none is true.
    public static func all(of predicates: [Predicate]) -> Predicate {
        predicates.count > 1 ? .and(predicates) : predicates.first ?? .constant(true)
    }

    /// Any of the predicates: one stands for itself, none is false.
    public static func any(of predicates: [Predicate]) -> Predicate {
        predicates.count > 1 ? .or(predicates) : predicates.first ?? .constant(false)
    }

    /// A comparison without modifier.
    public static func comparison(
        _ left: Expression, _ comparisonOperator: ComparisonOperator, _ right: Expression,
        _ options: ComparisonOptions = []
    ) -> Predicate {
        .comparison(ComparisonPredicate(left, comparisonOperator, right, options: options))
    }
}

/// `Predicate`, for files that also import Foundation, which has a type of that name.
public typealias FormatPredicate = Predicate

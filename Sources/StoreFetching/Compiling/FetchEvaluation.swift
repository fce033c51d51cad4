/// Where predicates are evaluated; the results are the same.
public enum FetchEvaluation: Sendable, Hashable {
    /// In SQL where that can be, else in Swift.
    case automatic
    /// In Swift, object by object: to compare the two.
    case inSwift
}

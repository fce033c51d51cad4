/// Where predicates are evaluated; the results are the same.
public enum FetchEvaluation: Sendable, Hashable {
    /// In SQL if possible, otherwise in Swift.
    case automatic
    /// In Swift, object by object, for comparisons with SQL.
    case inSwift
}

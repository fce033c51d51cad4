/// The operators of comparisons; the raw value is Foundation's number.
public enum ComparisonOperator: Int, Hashable, Sendable, CaseIterable {
    /// `<`: the left value is smaller.
    case lessThan = 0
    /// `<=`: the left value is smaller, or both are equal.
    case lessThanOrEqual = 1
    /// `>`: the left value is larger.
    case greaterThan = 2
    /// `>=`: the left value is larger, or both are equal.
    case greaterThanOrEqual = 3
    /// `==`: both values are equal; with NULL, whether the other value is missing.
    case equal = 4
    /// `!=`: the values differ; with NULL, whether the other value exists.
    case notEqual = 5
    /// `MATCHES`: the whole left text matches a regular expression.
    case matches = 6
    /// `LIKE`: the whole left text matches a pattern with `?` and `*`.
    case like = 7
    /// `BEGINSWITH`: the left text begins with the right one.
    case beginsWith = 8
    /// `ENDSWITH`: the left text ends with the right one.
    case endsWith = 9
    /// `IN`: the left value is an element of the right one, or a substring of it.
    case memberOf = 10
    /// `CONTAINS`: the right value is an element of the left one, or a substring of it.
    case contains = 99
    /// `BETWEEN`: the left value is between the two elements of the right one, inclusive.
    case between = 100

    /// The operator as text.
    public var symbol: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .memberOf: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }
}

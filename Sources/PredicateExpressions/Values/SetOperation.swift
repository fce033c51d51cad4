/// The set operations; the raw value is Foundation's expression type.
public enum SetOperation: Int, Hashable, Sendable, CaseIterable {
    /// `UNION`: the elements of both.
    case union = 5
    /// `INTERSECT`: the elements that are in both.
    case intersect = 6
    /// `MINUS`: the elements of the left one that are not in the right one.
    case minus = 7

    /// The keyword of the operation.
    public var keyword: String {
        switch self {
        case .union: "UNION"
        case .intersect: "INTERSECT"
        case .minus: "MINUS"
        }
    }
}

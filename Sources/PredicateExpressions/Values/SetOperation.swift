/// The operations on sets; the raw value is Foundation's expression type.
public enum SetOperation: Int, Hashable, Sendable, CaseIterable {
    /// `UNION`: the elements of both.
    case union = 5
    /// `INTERSECT`: the elements that both have.
    case intersect = 6
    /// `MINUS`: the elements of the left one that the right one does not have.
    case minus = 7

    /// How the operation is written.
    public var keyword: String {
        switch self {
        case .union: "UNION"
        case .intersect: "INTERSECT"
        case .minus: "MINUS"
        }
    }
}

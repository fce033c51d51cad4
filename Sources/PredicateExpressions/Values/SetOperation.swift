/// The operations on sets; the raw value is Foundation's expression type.
public enum SetOperation: Int, Hashable, Sendable, CaseIterable {
    case union = 5
    case intersect = 6
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

/// What happens to the destinations when an object is deleted; the raw value is the number in compiled models.
public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// The destinations are left unchanged, so their references lead nowhere.
    case noAction = 0
    /// The destinations lose their references to the object.
    case nullify = 1
    /// The destinations are deleted as well.
    case cascade = 2
    /// The object cannot be deleted while there are destinations.
    case deny = 3

    /// The name in a source model's `deletionRule`.
    public var name: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }

    /// Makes the rule with a source model's name, such as `Cascade`; nil if there is none.
    public init?(name: String) {
        guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = rule
    }
}

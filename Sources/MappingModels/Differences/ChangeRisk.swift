/// The effect that a model change may have on a store's data, from harmless to destructive.
public enum ChangeRisk: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing is lost, and nothing can fail.
    case none
    /// Nothing is lost, but code that uses the old name does not find the data.
    case rename
    /// Success depends on the data.
    case dataDependent = "data-dependent"
    /// Data is dropped, or cannot be kept without a custom mapping model.
    case destructive
}

extension ChangeRisk: Comparable {
    private var order: Int {
        switch self {
        case .none: 0
        case .rename: 1
        case .dataDependent: 2
        case .destructive: 3
        }
    }

    public static func < (left: ChangeRisk, right: ChangeRisk) -> Bool { left.order < right.order }
}

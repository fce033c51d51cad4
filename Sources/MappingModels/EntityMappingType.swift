/// What an entity mapping does; the raw value is the number that compiled mapping models use.
public enum EntityMappingType: Int, Sendable, Hashable, CaseIterable {
    /// Nothing is said; the source and the destination decide.
    case undefined = 0
    /// The migration policy of the mapping decides.
    case custom = 1
    /// An entity of the destination that has no source.
    case add = 2
    /// An entity of the source whose objects are dropped.
    case remove = 3
    /// An entity whose versions have equal hashes.
    case copy = 4
    /// An entity whose versions have different hashes.
    case transform = 5

    /// The name in a source mapping model's `mappingtypename`.
    public var name: String {
        switch self {
        case .undefined: "Undefined"
        case .custom: "Custom"
        case .add: "Add"
        case .remove: "Remove"
        case .copy: "Copy"
        case .transform: "Transform"
        }
    }

    /// The type that a source mapping model calls by this name; nil if there is none.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }
}

/// The type of an entity mapping; the raw value is the number in compiled mapping models.
public enum EntityMappingType: Int, Sendable, Hashable, CaseIterable {
    /// No type is given; it follows from the source and the destination.
    case undefined = 0
    /// The migration policy of the mapping determines the result.
    case custom = 1
    /// An entity of the destination without a source.
    case add = 2
    /// An entity of the source whose objects are dropped.
    case remove = 3
    /// An entity whose versions have equal hashes.
    case copy = 4
    /// An entity whose versions have different hashes.
    case transform = 5

    /// The name of the type in a source mapping model's `mappingtypename`.
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

    /// Makes the type with a source mapping model's name; nil if there is none.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }
}

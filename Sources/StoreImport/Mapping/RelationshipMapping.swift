/// How a relationship finds the objects that it leads to.
public struct RelationshipMapping: Equatable, Sendable {
    public var relationship: String
    public var target: Target

    public enum Target: Equatable, Sendable {
        /// The object of another object mapping of the same record, by its id.
        case object(String)
        /// Objects with these keys.
        case key(KeyTarget)
    }

    /// How the other object is found by key.
    public struct KeyTarget: Equatable, Sendable {
        /// The entity, where it is an heir of the relationship's destination.
        public var entity: String?
        /// The other object's attribute.
        public var attribute: String
        public var value: ValueOrigin
        public var conversion: ConversionSettings
        /// What separates the keys of a to-many in one text; nil where each value of a path is a key.
        public var separator: String?
        public var missing: MissingTarget

        public init(
            entity: String? = nil, attribute: String, value: ValueOrigin,
            conversion: ConversionSettings = ConversionSettings(), separator: String? = nil,
            missing: MissingTarget = .find
        ) {
            self.entity = entity
            self.attribute = attribute
            self.value = value
            self.conversion = conversion
            self.separator = separator
            self.missing = missing
        }
    }

    public init(relationship: String, target: Target) {
        self.relationship = relationship
        self.target = target
    }
}

/// What happens where the other object is nowhere, not in the store and not in the sources.
public enum MissingTarget: String, Equatable, Sendable, CaseIterable {
    /// The relationship stays empty, and the report says so.
    case find
    /// It is created with nothing but its key.
    case create
    /// The record is rejected.
    case required
}

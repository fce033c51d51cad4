public import RecordConversion

/// How a relationship finds the objects that it leads to.
public struct RelationshipMapping: Hashable, Sendable, Codable {
    /// The relationship's name.
    public var relationship: String
    /// Which objects it leads to.
    public var target: Target

    /// Whether a to-many's objects join those that are there, instead of replacing them: for records that are links.
    public var adds: Bool

    /// A column of numbers or texts that orders a to-many whose objects come from several records; nil for the order of
    /// the records.
    public var order: String?

    /// Which objects a relationship leads to.
    public enum Target: Hashable, Sendable, Codable {
        /// The objects of another object mapping of the same record, by its id.
        ///
        /// Where the mappings take parts of the record, the objects of parts that lie in one another, else all.
        case object(String)
        /// Objects with these keys.
        case key(KeyTarget)
    }

    /// How the other object is found by key.
    public struct KeyTarget: Hashable, Sendable, Codable {
        /// The entity, a subentity of the relationship's destination; nil for the destination itself.
        public var entity: String?

        /// The values that make the key: at least one.
        public var parts: [KeyPart]

        /// Whether the values are a source key of the objects, which the store does not have
        /// (`ObjectMapping.sourceKey`).
        ///
        /// The parts name no attributes then.
        public var isSourceKey = false

        /// What separates the keys of a to-many in one text; nil if each value of a path is a key.
        public var separator: String?

        /// What happens if there is no such object.
        public var missing: MissingTarget

        /// Makes a target of values that make a key of attributes.
        public init(
            entity: String? = nil, parts: [KeyPart], separator: String? = nil, missing: MissingTarget = .find
        ) {
            self.entity = entity
            self.parts = parts
            self.separator = separator
            self.missing = missing
        }

        /// Makes a target of values that make a source key.
        ///
        /// - Parameters:
        ///   - entity: the entity, where it is a subentity of the relationship's destination.
        ///   - sourceKey: the values that make the key.
        ///   - separator: what separates the keys of a to-many in one text; nil if each value of a path is a key.
        ///   - missing: `create` is refused: no object can be made of such a key.
        public init(
            entity: String? = nil, sourceKey: [ValueOrigin], separator: String? = nil, missing: MissingTarget = .find
        ) {
            self.init(
                entity: entity, parts: sourceKey.map { KeyPart(attribute: nil, value: $0) }, separator: separator,
                missing: missing)
            isSourceKey = true
        }

        /// Makes a target of a key of one attribute.
        public init(
            entity: String? = nil, attribute: String?, value: ValueOrigin,
            conversion: ConversionSettings = ConversionSettings(), separator: String? = nil,
            missing: MissingTarget = .find
        ) {
            self.init(
                entity: entity, parts: [KeyPart(attribute: attribute, value: value, conversion: conversion)],
                separator: separator, missing: missing)
        }
    }

    /// One value of another object's key.
    public struct KeyPart: Hashable, Sendable, Codable {
        /// The other object's attribute, or one behind its to-one relationships such as `country.code`.
        ///
        /// nil for the only part of the other entity's own key: that of its mapping, else its uniqueness constraint.
        public var attribute: String?
        /// Where the value comes from.
        public var value: ValueOrigin
        /// How the value is written in the source.
        public var conversion: ConversionSettings

        /// Makes a part of a key.
        public init(
            attribute: String?, value: ValueOrigin, conversion: ConversionSettings = ConversionSettings()
        ) {
            self.attribute = attribute
            self.value = value
            self.conversion = conversion
        }
    }

    /// Makes the mapping of a relationship.
    public init(relationship: String, target: Target, adds: Bool = false, order: String? = nil) {
        self.relationship = relationship
        self.target = target
        self.adds = adds
        self.order = order
    }
}

/// What happens where the other object is nowhere, not in the store and not in the sources.
public enum MissingTarget: String, Sendable, CaseIterable, Codable {
    /// The relationship stays empty, and the report says so.
    case find
    /// It is created with nothing but its key.
    case create
    /// The record is rejected.
    case required
}

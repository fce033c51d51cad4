public import RecordConversion

/// A mapping that finds the destination objects of a relationship.
public struct RelationshipMapping: Hashable, Sendable, Codable {
    /// The relationship's name.
    public var relationship: String
    /// The destination objects.
    public var target: Target

    /// Whether the objects of a to-many relationship are added to the existing ones, instead of replacing them; for
    /// records that represent links.
    public var adds: Bool

    /// The column by which the objects of a to-many relationship are ordered, if they come from several records. It
    /// contains numbers or texts; nil for the order of the records.
    public var order: String?

    /// The destination objects of a relationship.
    public enum Target: Hashable, Sendable, Codable {
        /// The objects of another object mapping of the same record, by its id.
        ///
        /// If the mappings use parts of the record, these are the objects of nested parts, otherwise all objects.
        case object(String)
        /// Objects with these keys.
        case key(KeyTarget)
    }

    /// Finds another object by its key.
    public struct KeyTarget: Hashable, Sendable, Codable {
        /// The entity, a subentity of the relationship's destination; nil for the destination itself.
        public var entity: String?

        /// The values that form the key; at least one.
        public var parts: [KeyPart]

        /// Whether the values are a source key of the objects, which is not stored (`ObjectMapping.sourceKey`).
        ///
        /// If so, the parts have no attributes.
        public var isSourceKey = false

        /// The separator of keys in a single text, for a to-many relationship; nil if each value of a path is a key.
        public var separator: String?

        /// What to do if the object does not exist.
        public var missing: MissingTarget

        /// Makes a target from values that form a key of attributes.
        public init(
            entity: String? = nil, parts: [KeyPart], separator: String? = nil, missing: MissingTarget = .find
        ) {
            self.entity = entity
            self.parts = parts
            self.separator = separator
            self.missing = missing
        }

        /// Makes a target from values that form a source key.
        ///
        /// - Parameters:
        ///   - entity: the entity, if it is a subentity of the relationship's destination.
        ///   - sourceKey: the values that form the key.
        ///   - separator: the separator of keys in a single text, for a to-many relationship; nil if each value of a
        ///     path is a key.
        ///   - missing: what to do if the object does not exist; `create` is refused, since objects cannot be made from
        ///     such a key.
        public init(
            entity: String? = nil, sourceKey: [ValueOrigin], separator: String? = nil, missing: MissingTarget = .find
        ) {
            self.init(
                entity: entity, parts: sourceKey.map { KeyPart(attribute: nil, value: $0) }, separator: separator,
                missing: missing)
            isSourceKey = true
        }

        /// Makes a target from a key of one attribute.
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
        /// The other object's attribute, or one at the end of to-one relationships, such as `country.code`.
        ///
        /// nil for the only part of the other entity's own key: that of its mapping, otherwise its uniqueness
        /// constraint.
        public var attribute: String?
        /// The origin of the value.
        public var value: ValueOrigin
        /// The format of the value in the source.
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

/// What to do if the other object is neither in the store nor in the sources.
public enum MissingTarget: String, Sendable, CaseIterable, Codable {
    /// The relationship stays empty, which the report mentions.
    case find
    /// The object is created with its key only.
    case create
    /// The record is rejected.
    case required
}

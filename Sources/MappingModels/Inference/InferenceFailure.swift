public import ManagedObjectModels

/// A reason why a mapping cannot be inferred, or why the inferred mapping fails if there are objects that it concerns.
public struct InferenceFailure: Error, Sendable, Hashable {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// The values would have to be converted.
        case attributeTypeChanged(from: AttributeType, to: AttributeType)
        /// Some numbers of the old type do not fit the new one.
        case numberNarrowed(from: AttributeType, to: AttributeType)
        /// External binary data would have to be moved into the store.
        case externalDataInlined
        /// Inference cannot decide which of several destinations is kept.
        case toManyBecameToOne
        /// Another entity or property has the same renaming identifier, or the name by which this one is found.
        case sharedRenamingIdentifier(identifier: String, other: String)
        /// Entities of several hierarchies, given by their roots, are in the same hierarchy in the destination.
        case mergedHierarchies(sources: [String])
        /// A new attribute is required, and the model has no default value for the existing objects.
        case newAttributeWithoutDefault
        /// An attribute has become required, and the model has no default value for objects without a value.
        case requiredWithoutDefault
        /// The values of these properties must now be unique, or unique among more objects than before.
        case newUniquenessConstraint(properties: [String])
        /// Objects of the entity cannot exist in the destination.
        case becameAbstract
        /// A relationship leads to another entity, which excludes some of its former destinations.
        case destinationNarrowed(to: String, excluded: [String])
        /// A new to-one relationship is filled from its inverse, through which several objects may lead to one.
        case severalSources(inverse: String)
        /// In a to-many relationship without an inverse, an object can now have only one owner, but could have several
        /// before.
        case sharedDestinations
    }

    /// The kind of the failure.
    public let code: Code

    /// The destination entity; if the failure depends on data, the entity whose objects are concerned.
    public let entity: String

    /// The destination's property; nil if the failure is about the entity.
    public let property: String?

    /// The source entity; nil if there is none.
    public let sourceEntity: String?

    /// The source's property; nil if there is none.
    public let sourceProperty: String?

    /// Makes a failure about an entity or a property of the destination.
    public init(
        _ code: Code, entity: String, property: String? = nil, sourceEntity: String? = nil,
        sourceProperty: String? = nil
    ) {
        self.code = code
        self.entity = entity
        self.property = property
        self.sourceEntity = sourceEntity
        self.sourceProperty = sourceProperty
    }

    /// Whether there is a mapping, which fails only if the store has objects of the kind that the failure describes.
    public var isDataDependent: Bool {
        switch code {
        case .attributeTypeChanged, .externalDataInlined, .toManyBecameToOne, .mergedHierarchies,
            .sharedRenamingIdentifier:
            false
        case .numberNarrowed, .newAttributeWithoutDefault, .requiredWithoutDefault, .newUniquenessConstraint,
            .becameAbstract, .destinationNarrowed, .severalSources, .sharedDestinations:
            true
        }
    }

    /// Whether Ferry refuses the migration. By an inferred mapping, Core Data cannot move external data into a store;
    /// Ferry's transfer of rows can.
    public var isRefusal: Bool { !isDataDependent && code != .externalDataInlined }

    /// Core Data's error number: 134190 for no mapping, 134110 for a migration that fails, 134111 for a constraint.
    public var cocoaCode: Int {
        guard isDataDependent else { return 134_190 }
        if case .newUniquenessConstraint = code { return 134_111 }
        return 134_110
    }

    /// The subject of the failure: `Entity` or `Entity.property`.
    public var subject: String { property.map { "\(entity).\($0)" } ?? entity }
}

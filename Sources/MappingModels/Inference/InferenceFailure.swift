public import ManagedObjectModels

/// A reason why a mapping can't be inferred, or why the inferred one fails once there are objects that it concerns.
public struct InferenceFailure: Error, Sendable, Hashable {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// The values would have to be converted.
        case attributeTypeChanged(from: AttributeType, to: AttributeType)
        /// Some numbers of the old type do not fit the new one.
        case numberNarrowed(from: AttributeType, to: AttributeType)
        /// Binary data that may be in files of their own would have to move into the store.
        case externalDataInlined
        /// Which of several destinations stays is not for inference to say.
        case toManyBecameToOne
        /// Another entity or property has the renaming identifier or the name by which this one is found.
        case sharedRenamingIdentifier(identifier: String, other: String)
        /// Entities of several hierarchies, given by their roots, share one in the destination.
        case mergedHierarchies(sources: [String])
        /// A new attribute is required, and the model gives no value for the objects that are there.
        case newAttributeWithoutDefault
        /// An attribute became required, and the model gives no value for the objects that have none.
        case requiredWithoutDefault
        /// The values of these properties must be unique from now on, or among more objects than before.
        case newUniquenessConstraint(properties: [String])
        /// Objects of the entity can't be anything in the destination.
        case becameAbstract
        /// A relationship leads to another entity now, which leaves out some that it could lead to.
        case destinationNarrowed(to: String, excluded: [String])
        /// A new to-one is filled from its inverse, of which several objects may lead to one.
        case severalSources(inverse: String)
        /// A to-many without inverse, where an object is the destination of one other at the most, and was of several.
        case sharedDestinations
    }

    /// What stands in the way.
    public let code: Code

    /// The destination entity; where the failure depends on data, the very entity whose objects are concerned.
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

    /// Whether there is a mapping, which fails only if the store has objects of the kind that the failure names.
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

    /// Whether it stands against a migration here. Core Data moves no external data into a store by an inferred mapping;
    /// a transfer of rows can.
    public var isRefusal: Bool { !isDataDependent && code != .externalDataInlined }

    /// Core Data's number: 134190 for no mapping, 134110 for a migration that fails, 134111 for a constraint.
    public var cocoaCode: Int {
        guard isDataDependent else { return 134_190 }
        if case .newUniquenessConstraint = code { return 134_111 }
        return 134_110
    }

    /// What the failure is about: `Entity` or `Entity.property`.
    public var subject: String { property.map { "\(entity).\($0)" } ?? entity }
}

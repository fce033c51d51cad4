public import ManagedObjectModels

/// The number of destinations that the model demands of a relationship.
public struct CountRule {
    /// The name of the relationship.
    public let name: String
    /// Whether the relationship leads to any number of objects.
    public let isToMany: Bool
    /// Whether the relationship may be empty.
    public let isOptional: Bool
    /// The model's minimum; 0 for no limit. Core Data saves a required to-many without objects if no minimum is given.
    public let minimum: Int64
    /// The maximum number of destinations; 0 for no limit.
    public let maximum: Int64

    /// Makes the rule of a relationship; nil if any number is allowed.
    public init?(_ relationship: ResolvedRelationship) {
        guard relationship.isStored else { return nil }
        let description = relationship.description
        name = relationship.name
        isToMany = relationship.isToMany
        isOptional = relationship.isOptional
        minimum = isToMany ? max(0, Int64(description.minimumCount)) : 1
        maximum = isToMany ? max(0, Int64(description.maximumCount)) : 0
        // An optional relationship may be empty, so a minimum of one has no effect.
        guard minimum > (isOptional ? 1 : 0) || maximum > 0 else { return nil }
    }
}

public import ManagedObjectModels

/// How many destinations the model demands of a relationship.
public struct CountRule {
    /// The name of the relationship.
    public let name: String
    /// Whether the relationship leads to any number of objects.
    public let isToMany: Bool
    /// Whether the relationship may be without objects.
    public let isOptional: Bool
    /// What the model says, 0 for no limit: Core Data saves a required to-many without objects where no minimum is
    /// named.
    public let minimum: Int64
    /// The most destinations; 0 for no limit.
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
        // An optional relationship may have none, so that a minimum of one says nothing.
        guard minimum > (isOptional ? 1 : 0) || maximum > 0 else { return nil }
    }
}

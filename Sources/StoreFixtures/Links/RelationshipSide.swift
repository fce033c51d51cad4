import ManagedObjectModels

/// One side of a relationship and its inverse: its objects, and the number of links that each may have.
struct RelationshipSide: Sendable {
    /// The entities whose objects take part, which are consecutive in one hierarchy.
    let slots: Range<Int>
    /// Whether every object has links.
    let isRequired: Bool
    /// The minimum number of links of an object that has any; at least 1.
    let minimum: Int
    /// The maximum number of links; nil for no limit.
    let maximum: Int?

    /// Makes the side that has a relationship.
    init(_ relationship: ResolvedRelationship, slots: Range<Int>, isUnique: Bool = false) {
        self.slots = slots
        isRequired = !relationship.isOptional
        guard relationship.isToMany else {
            (minimum, maximum) = (1, 1)
            return
        }
        let least = max(1, relationship.description.minimumCount)
        let most = relationship.description.maximumCount
        minimum = least
        maximum = isUnique ? 1 : most <= 0 || most == Int(Int32.max) ? nil : max(most, least)
    }

    /// Makes the side that has no relationship of its own.
    init(slots: Range<Int>, maximum: Int? = nil) {
        self.slots = slots
        isRequired = false
        minimum = 1
        self.maximum = maximum
    }
}

/// How much of each entity a diagram shows.
public enum DiagramDetail: String, Sendable, Hashable, CaseIterable {
    /// All properties.
    case all
    /// Relationships only.
    case relationships
    /// The names of the entities.
    case none
}

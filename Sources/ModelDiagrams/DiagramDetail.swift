/// The amount of detail shown for each entity in a diagram.
public enum DiagramDetail: String, Sendable, Hashable, CaseIterable {
    /// All properties.
    case all
    /// Relationships only.
    case relationships
    /// The names of the entities.
    case none
}

/// Which links to deleted objects are removed.
public enum LinkRemoval: Sendable, Hashable {
    /// The links that a delete rule of the deleted objects reaches, as in a save: No Action leaves its destinations
    /// unchanged, and relationships without an inverse keep their links to deleted objects.
    case byDeleteRules
    /// All links, so that none leads to a deleted object.
    case all
}

/// Which links to deleted objects are removed.
public enum LinkRemoval: Sendable, Hashable {
    /// Those that a delete rule of the deleted objects reaches, as in a save: No Action leaves its destinations as they
    /// are, and relationships without inverse keep leading to what is gone.
    case byDeleteRules
    /// All, so that nothing leads to an object that is gone.
    case all
}

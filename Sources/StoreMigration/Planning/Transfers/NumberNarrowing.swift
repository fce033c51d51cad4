/// What becomes of numbers that the attribute's new type does not have.
public enum NumberNarrowing: String, Codable, Sendable, CaseIterable {
    /// The migration is refused.
    case refuse
    /// They become the nearest number that the type has; for Boolean everything but 0 is true.
    case round
    /// They become NULL, or the default of an attribute that needs a value.
    case null
}

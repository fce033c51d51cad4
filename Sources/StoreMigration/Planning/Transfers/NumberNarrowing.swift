/// How numbers are handled that an attribute's new type cannot represent.
public enum NumberNarrowing: String, Codable, Sendable, CaseIterable {
    /// The migration is refused.
    case refuse
    /// They are rounded to the nearest number of the type; for Boolean, all numbers except 0 become true.
    case round
    /// They become NULL, or the default value of a required attribute.
    case null
}

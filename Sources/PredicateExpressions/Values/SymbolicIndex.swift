/// Symbolic indexes: `list[FIRST]`; the raw value is the keyword.
public enum SymbolicIndex: String, Hashable, Sendable, CaseIterable {
    /// The first element.
    case first = "FIRST"
    /// The last element.
    case last = "LAST"
    /// The number of elements.
    case size = "SIZE"
}

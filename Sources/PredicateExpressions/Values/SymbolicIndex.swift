/// Indexes by name: `list[FIRST]`; the raw value is how they are written.
public enum SymbolicIndex: String, Hashable, Sendable, CaseIterable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}

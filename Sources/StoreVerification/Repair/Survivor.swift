/// Which of several objects with the same values is kept.
public enum Survivor: Sendable, Hashable, Codable {
    /// The one with the lowest key, which was inserted first.
    case first
    /// The one with the highest key.
    case last
    /// The one with the highest value of an attribute, such as a modification date; if equal, the last one.
    case newest(by: String)
}

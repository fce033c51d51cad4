/// Which of several objects with the same values stays.
public enum Survivor: Sendable, Hashable, Codable {
    /// The one with the lowest key, which was made first.
    case first
    /// The one with the highest key.
    case last
    /// The one with the highest value of an attribute, such as a date of change; of equal ones the last.
    case newest(by: String)
}

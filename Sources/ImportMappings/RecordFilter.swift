/// A condition on a record's own values, which are columns of a flat source or paths into a nested record.
public indirect enum RecordFilter: Hashable, Sendable, Codable {
    /// The column's text equals one of these.
    case isIn(String, [String])
    /// There is a value, and it is not empty.
    case isPresent(String)
    /// The condition does not hold.
    case not(RecordFilter)
    /// Each of the conditions holds; true if there are none.
    case all([RecordFilter])
    /// One of the conditions holds; false if there are none.
    case any([RecordFilter])
}

/// A condition on a record's own values, which are columns of a flat source or paths into a nested record.
public indirect enum RecordFilter: Hashable, Sendable, Codable {
    /// The column's text equals one of these.
    case isIn(String, [String])
    /// There is a value, and it is not empty.
    case isPresent(String)
    case not(RecordFilter)
    case all([RecordFilter])
    case any([RecordFilter])
}

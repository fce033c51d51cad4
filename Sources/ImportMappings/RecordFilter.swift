/// A condition on the values of a record, given by columns of a flat source or paths into a nested record.
public indirect enum RecordFilter: Hashable, Sendable, Codable {
    /// The column's text equals one of some texts.
    case isIn(String, [String])
    /// The value exists and is not empty.
    case isPresent(String)
    /// The condition is false.
    case not(RecordFilter)
    /// All conditions are true; true if there are none.
    case all([RecordFilter])
    /// At least one of the conditions is true; false if there are none.
    case any([RecordFilter])
}

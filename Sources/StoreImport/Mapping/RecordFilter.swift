/// A condition on a record's own values.
public indirect enum RecordFilter: Equatable, Sendable {
    /// The value's text equals one of these.
    case isIn(ValueOrigin, [String])
    /// There is a value, and it is not empty.
    case isPresent(ValueOrigin)
    case not(RecordFilter)
    case all([RecordFilter])
    case any([RecordFilter])
}

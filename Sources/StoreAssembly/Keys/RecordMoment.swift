/// When a record is read, and when the objects of one of its mappings are written.
///
/// What a record refers to is looked for just before the objects of the mapping that refers to it are written.
public struct RecordMoment: Comparable, Sendable {
    let record: Int64
    let phase: Int64

    /// The end of the import, after all records.
    public static let end = RecordMoment(record: .max, phase: 0 as Int64)
    /// The moment of what an object has in the end, before all others: it is read first.
    static let first = RecordMoment(record: -1, phase: 0 as Int64)
    /// The moment that never comes.
    static let never = RecordMoment(record: .max, phase: Int64.max)

    /// Creates a moment of the number of a record, and of a phase: the mappings of a record are written one after the
    /// other.
    public init(record: Int64, phase: Int) {
        self.init(record: record, phase: Int64(phase))
    }

    init(record: Int64, phase: Int64) {
        (self.record, self.phase) = (record, phase)
    }

    /// Returns whether the left moment is earlier than the right one.
    public static func < (left: RecordMoment, right: RecordMoment) -> Bool {
        (left.record, left.phase) < (right.record, right.phase)
    }
}

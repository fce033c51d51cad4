/// When the objects of one of a record's mappings are written; or when the objects that they refer to are looked for, and
/// created if they do not exist, which is just before.
public struct RecordMoment: Comparable, Sendable {
    let record: Int64
    let phase: Int64

    /// The end of the import, after all records.
    public static let end = RecordMoment(record: .max, phase: 0 as Int64)
    /// The moment of what an object has in the end, before all others: it is read first.
    static let first = RecordMoment(record: -1, phase: 0 as Int64)
    /// The moment that never comes.
    static let never = RecordMoment(record: .max, phase: Int64.max)

    /// Creates a moment of a record.
    ///
    /// - Parameters:
    ///   - record: the number of the record.
    ///   - phase: the place of the mapping among those of the record, which are written one after the other; from 0.
    ///   - isWriting: whether the objects are written, and not what they refer to looked for.
    public init(record: Int64, phase: Int, isWriting: Bool) {
        self.init(record: record, phase: Int64(phase) << 1 | (isWriting ? 1 : 0))
    }

    init(record: Int64, phase: Int64) {
        (self.record, self.phase) = (record, phase)
    }

    /// Returns whether the left moment is earlier than the right one.
    public static func < (left: RecordMoment, right: RecordMoment) -> Bool {
        (left.record, left.phase) < (right.record, right.phase)
    }
}

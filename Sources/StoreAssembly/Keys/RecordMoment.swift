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
    ///   - link: the position of the to-one whose destination is looked for; nil if the objects are written, which is
    ///     after all of them.
    public init(record: Int64, phase: Int, link: Int?) {
        let count = AssembledTable.mostLinks
        // What is created because a link leads to it comes behind the link, and before the next one.
        self.init(record: record, phase: 2 * (Int64(phase) * Int64(count + 1) + Int64(link ?? count)))
    }

    /// The moment after this one, in the same record.
    public var next: RecordMoment { RecordMoment(record: record, phase: phase + 1) }

    init(record: Int64, phase: Int64) {
        (self.record, self.phase) = (record, phase)
    }

    /// Returns whether the left moment is earlier than the right one.
    public static func < (left: RecordMoment, right: RecordMoment) -> Bool {
        (left.record, left.phase) < (right.record, right.phase)
    }
}

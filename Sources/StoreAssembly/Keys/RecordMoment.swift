/// A moment in an import: the moment at which the objects of one of a record's mappings are written, or at which the
/// objects that they refer to are looked up, and created if they do not exist, which is just before.
public struct RecordMoment: Comparable, Sendable {
    let record: Int64
    let phase: Int64

    /// The end of the import, after all records.
    public static let end = RecordMoment(record: .max, phase: 0 as Int64)
    /// The moment of the values that objects have at the end. It sorts before all others, so that these values are read
    /// first.
    static let first = RecordMoment(record: -1, phase: 0 as Int64)
    /// A moment that never comes.
    static let never = RecordMoment(record: .max, phase: Int64.max)

    /// Creates a moment of a record.
    ///
    /// - Parameters:
    ///   - record: the number of the record.
    ///   - phase: the position of the mapping, from 0, among those of the record, which are written one after the
    ///     other.
    ///   - link: the position of the to-one relationship whose destination is looked up; nil for the moment at which
    ///     the objects are written, which comes after all look-ups.
    public init(record: Int64, phase: Int, link: Int?) {
        let count = AssembledTable.mostLinks
        // An object that is created for a link comes after the look-up for the link, and before the next one.
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

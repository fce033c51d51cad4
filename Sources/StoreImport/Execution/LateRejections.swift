/// The records that one pass over a batch rejects while objects are written.
///
/// The pass is then rolled back and repeated without them, as if they had not existed.
struct LateRejections {
    struct Entry {
        let record: Int
        /// The step of the pass in which the record was rejected.
        fileprivate let phase: Int
        /// Whether the record had already written an object in that step.
        fileprivate let hasWritten: Bool
        let rejection: RejectionReason
        let rivals: [Int64]
    }

    private var entries: [Entry] = []
    /// The current step.
    private var phase = 0
    /// The record whose objects are being written in this step, and whether one of them has been written.
    private var current: (record: Int, hasWritten: Bool)?

    mutating func append(_ record: Int, _ rejection: RejectionReason, rivals: [Int64] = []) {
        let hasWritten = current.map { $0.record == record && $0.hasWritten } ?? false
        entries.append(
            Entry(record: record, phase: phase, hasWritten: hasWritten, rejection: rejection, rivals: rivals))
    }

    /// Begins the next step.
    mutating func beginPhase() {
        phase += 1
        current = nil
    }

    /// Notes that an object of a record is written next. The objects of one record come one after the other.
    mutating func begin(_ record: Int) { current = (record, current?.record == record) }

    /// Returns the rejections that are certain, no matter what happens to the other records.
    ///
    /// If a record comes before another one, and was rejected in a later step, or in the same step after it had written
    /// an object, it may be the reason why the other one could not have a value: without it, there may be nothing wrong
    /// with the other one. The first rejected record always counts, so that each pass has fewer records than the one
    /// before.
    func confirmed() -> [Entry] {
        var latestPhase = 0
        var result: [Entry] = []
        for entry in entries.sorted(by: { $0.record < $1.record }) {
            if result.isEmpty || entry.phase >= latestPhase { result.append(entry) }
            latestPhase = max(latestPhase, entry.hasWritten ? entry.phase + 1 : entry.phase)
        }
        return result
    }
}

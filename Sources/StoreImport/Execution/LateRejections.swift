/// The records that one pass over a batch rejects while objects are written.
///
/// The pass is then undone, and done again without them, as if they had not been there.
struct LateRejections {
    struct Entry {
        let record: Int
        /// The step of the pass.
        fileprivate let phase: Int
        /// Whether the record has written objects in that step before.
        fileprivate let hasWritten: Bool
        let rejection: RejectionReason
        let rivals: [Int64]
    }

    private var entries: [Entry] = []
    /// The step that is being done.
    private var phase = 0
    /// The record whose objects are being written in this step, and whether one of them has been.
    private var current: (record: Int, hasWritten: Bool)?

    var isEmpty: Bool { entries.isEmpty }

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

    /// Takes note that an object of a record is written next; those of one record come together.
    mutating func begin(_ record: Int) { current = (record, current?.record == record) }

    /// Those that hold whatever becomes of the others.
    ///
    /// A record that comes before and was rejected in a later step, or in the same one after it had written an object, may
    /// be why a value was taken: without it there may be nothing wrong. The first record always counts, so that each pass
    /// has fewer than the one before.
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

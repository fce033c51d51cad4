/// The records that one pass over a batch rejects while objects are written.
///
/// The pass is then undone, and done again without them, as if they had not been there.
struct LateRejections {
    struct Entry {
        let record: Int
        /// The step of the pass.
        fileprivate let phase: Int
        let rejection: RejectionReason
        let rivals: [Int64]
    }

    private var entries: [Entry] = []
    /// The step that is being done.
    var phase = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ record: Int, _ rejection: RejectionReason, rivals: [Int64] = []) {
        entries.append(Entry(record: record, phase: phase, rejection: rejection, rivals: rivals))
    }

    /// Those that hold whatever becomes of the others.
    ///
    /// A record that comes before and was rejected in a later step may be why a value was taken: without it there may
    /// be nothing wrong. The first record always counts, so that each pass has fewer than the one before.
    func confirmed() -> [Entry] {
        var latestPhase = 0
        var result: [Entry] = []
        for entry in entries.sorted(by: { $0.record < $1.record }) {
            if result.isEmpty || entry.phase >= latestPhase { result.append(entry) }
            latestPhase = max(latestPhase, entry.phase)
        }
        return result
    }
}

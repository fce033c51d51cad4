import PersistentStores
import RecordSources

/// What is known of the batch that is being written, beside its objects; forgotten with it.
final class BatchState {
    /// An object that was made because a record names it.
    struct NamedObject: Hashable {
        let root: Int
        let key: Int64
    }

    /// By record, whether it is not imported: rejected, or left out by the filter.
    var isRejected: [Bool] = []
    /// While objects are written: the records that are rejected then, after others of theirs may have been written.
    var late: LateRejections?
    /// The objects that were made because a record of the batch names them, by root and key, with the first such
    /// record.
    var namers: [NamedObject: Int64] = [:]
    /// The records whose links may turn out to lead nowhere.
    var waitingRecords = Set<Int>()
    /// The records that are rejected.
    var rejected: [Int] = []
    /// The records that are written as rejected when the batch is done, and why.
    var refused: [(record: Int, rejection: RecordRejection)] = []

    /// Forgets the rejected records of the batch before.
    func begin() {
        refused.removeAll(keepingCapacity: true)
        rejected.removeAll(keepingCapacity: true)
    }

    /// Forgets what writing found out: of the batch before, or of this one if it is written again.
    func beginWriting() {
        waitingRecords.removeAll(keepingCapacity: true)
        namers.removeAll(keepingCapacity: true)
    }

    /// Whether a record of the batch makes an object, though it was made before because a later one names it, or the
    /// record itself: read by itself, it would have found nothing. Only the first object of the record does.
    func takeMaker(_ record: Int64, of object: NamedObject) -> Bool {
        guard !namers.isEmpty, let namer = namers[object], record <= namer else { return false }
        namers[object] = nil
        return true
    }
}

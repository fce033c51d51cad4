import PersistentStores
import RecordSources

/// What is known of the batch that is being written, apart from its objects. It is discarded with the batch.
final class BatchState {
    /// An object that was created because a record names it.
    struct NamedObject: Hashable {
        let root: Int
        let key: Int64
    }

    /// For each record, whether it is not imported: rejected, or excluded by the filter.
    var isRejected: [Bool] = []
    /// While objects are written: the records that are rejected meanwhile, some of them after other objects of theirs
    /// were written.
    var late: LateRejections?
    /// The objects that were created because a record of the batch names them, each with the number of the first such
    /// record.
    var namers: [NamedObject: Int64] = [:]
    /// The records whose links may turn out to have no destination.
    var waitingRecords = Set<Int>()
    /// The records that are rejected.
    var rejected: [Int] = []
    /// The records that are written to the files of rejected records when the batch is done, with the reasons.
    var refused: [(record: Int, rejection: RecordRejection)] = []

    /// Forgets the rejected records of the previous batch.
    func begin() {
        refused.removeAll(keepingCapacity: true)
        rejected.removeAll(keepingCapacity: true)
    }

    /// Forgets what was found out while the previous batch was written, or this batch if it is written again.
    func beginWriting() {
        waitingRecords.removeAll(keepingCapacity: true)
        namers.removeAll(keepingCapacity: true)
    }

    /// Returns whether a record of the batch creates an object, although the object already exists because a later
    /// record, or the same one, names it. If the record were read by itself, it would not have found the object. This
    /// is true only for the first object of the record.
    func takeMaker(_ record: Int64, of object: NamedObject) -> Bool {
        guard !namers.isEmpty, let namer = namers[object], record <= namer else { return false }
        namers[object] = nil
        return true
    }
}

import PersistentStores
import Synchronization

/// The changes that others have saved since a context last merged them: IDs, so that memory does not grow with the
/// number of saves.
final class SavedElsewhere: Sendable {
    private let changes = Mutex(ContextDidSave())

    func add(_ saved: ContextDidSave) { changes.withLock { $0.add(saved) } }

    /// Puts back changes that could not be merged, before those that were added meanwhile.
    func putBack(_ saved: ContextDidSave) {
        changes.withLock { changes in
            var all = saved
            all.add(changes)
            changes = all
        }
    }

    func take() -> ContextDidSave {
        changes.withLock { changes in
            defer { changes = ContextDidSave() }
            return changes
        }
    }
}

extension ContextDidSave {
    /// Combines the changes of two consecutive saves.
    mutating func add(_ next: ContextDidSave) {
        deleted.subtract(next.inserted)
        // A merge policy may have saved a deleted object again.
        deleted.subtract(next.updated)
        inserted.formUnion(next.inserted)
        updated.formUnion(next.updated)
        inserted.subtract(next.deleted)
        updated.subtract(next.deleted)
        deleted.formUnion(next.deleted)
    }
}

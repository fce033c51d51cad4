import PersistentStores
import Synchronization

/// What others have saved since a context took it over last: IDs, so that it does not grow with the number of saves.
final class SavedElsewhere: Sendable {
    private let changes = Mutex(ContextDidSave())

    func add(_ saved: ContextDidSave) { changes.withLock { $0.add(saved) } }

    /// Gives back what could not be taken over: it comes before what was added meanwhile.
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
    /// Makes the changes those of two saves, one after the other.
    mutating func add(_ next: ContextDidSave) {
        deleted.subtract(next.inserted)
        // A policy may have saved again what was deleted.
        deleted.subtract(next.updated)
        inserted.formUnion(next.inserted)
        updated.formUnion(next.updated)
        inserted.subtract(next.deleted)
        updated.subtract(next.deleted)
        deleted.formUnion(next.deleted)
    }
}

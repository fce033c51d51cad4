import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// A save of a context to the stores: one transaction in each, in which conflicts are resolved before anything is
/// written.
final class SaveRun {
    let source: StoreSource
    let context: ManagedObjectContext
    private var writers: [Int: StoreWriter] = [:]
    private var stores: [ObjectIdentifier: PersistentStore] = [:]
    private let conflicts: ConflictSettlement

    init(_ source: StoreSource, _ context: ManagedObjectContext) {
        self.source = source
        self.context = context
        conflicts = ConflictSettlement(context)
    }

    private var orderedWriters: [StoreWriter] { writers.sorted { $0.key < $1.key }.map(\.value) }

    func execute() throws -> SavedObjects {
        let rows: SavedRows
        do {
            try settleConflicts()
            rows = try write()
            for writer in orderedWriters { try writer.complete() }
        } catch {
            for writer in orderedWriters { writer.rollBack() }
            throw error
        }
        let (committed, failure) = try commit()
        var saved = SavedObjects(context)
        if failure != nil {
            let numbers = Set(committed.map(\.connection.store.number))
            saved = saved.filtered { numbers.contains(context.model.store(of: rows.key(of: $0).table)) }
        }
        finish(rows, saved)
        saved.failure = failure
        for writer in committed { try writer.connection.store.writeBack() }
        return saved
    }

    /// Commits in each store.
    ///
    /// - Returns: the stores that have committed, and why the others have not.
    /// - Throws: the reason, if none has.
    private func commit() throws -> (committed: [StoreWriter], failure: IncompleteSaveError?) {
        var committed: [StoreWriter] = []
        for writer in orderedWriters {
            do {
                try writer.commit()
                committed.append(writer)
            } catch {
                let rest = Array(orderedWriters.dropFirst(committed.count))
                for writer in rest { writer.rollBack() }
                guard !committed.isEmpty else { throw error }
                return (
                    committed,
                    IncompleteSaveError(
                        savedStores: committed.map(\.connection.store.path),
                        failedStores: rest.map(\.connection.store.path), reason: error)
                )
            }
        }
        return (committed, nil)
    }

    // MARK: - Steps

    /// Begins a transaction in each store that has something to save.
    private func begin() throws {
        for object in context.inserted.objects {
            let store = try self.store(of: object)
            stores[ObjectIdentifier(object)] = store
            try begin(store)
        }
        for object in context.updated.objects + context.deleted.objects { try begin(self.store(of: object)) }
        try checkLinks()
    }

    private func begin(_ store: PersistentStore) throws {
        guard writers[store.number] == nil else { return }
        guard !store.options.isReadOnly else { throw ManagedObjectError(.storeReadOnly(store.path)) }
        let connection = try source.connection(to: store)
        let writer = StoreWriter(connection, of: context)
        try writer.begin()
        writers[store.number] = writer
    }

    private func store(of object: ManagedObject) throws -> PersistentStore {
        if object.key.isTemporary { return try source.store(for: object, of: context) }
        guard let store = source.coordinator.store(numbered: source.model.store(of: object.key.table)) else {
            throw ManagedObjectError(.storeMissing(entity: object.shape.name))
        }
        return store
    }

    /// Checks links: relationships cannot cross stores, or lead to objects that were never saved.
    private func checkLinks() throws {
        for object in context.inserted.objects + context.updated.objects {
            let own = try stores[ObjectIdentifier(object)] ?? store(of: object)
            guard let state = object.state else { continue }
            for (slot, key) in state.toOnes.entries where object.shape.toOnes[slot].relationship.isStored {
                if let key { try check(key, own, object, object.shape.toOnes[slot].relationship) }
            }
            for (slot, links) in state.toManys.entries where object.shape.toManys[slot].relationship.isStored {
                for key in links.added.keys { try check(key, own, object, object.shape.toManys[slot].relationship) }
            }
        }
    }

    private func check(
        _ key: ObjectKey, _ store: PersistentStore, _ object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws {
        guard let destination = context.registry[key] else {
            if key.isTemporary {
                throw ManagedObjectError(.objectNotFound(context.coordinator.objectID(key, object.shape)))
            }
            return
        }
        if key.isTemporary, !destination.isInserted {
            throw ManagedObjectError(.objectNotFound(destination.objectID))
        }
        let other = try stores[ObjectIdentifier(destination)] ?? self.store(of: destination)
        guard other === store else {
            throw ManagedObjectError(.destinationInOtherStore(relationship.name, entity: object.shape.name))
        }
    }

    /// Finds changes of others, and applies the merge policy, until there are no further ones.
    private func settleConflicts() throws {
        try withoutUndo {
            while true {
                let stamp = context.changeStamp
                try begin()
                try conflicts.settle(writers.sorted { $0.key < $1.key }.map { ($0.key, $0.value.connection) })
                if !conflicts.conflicts.isEmpty { throw MergeConflictError(conflictList: conflicts.conflicts) }
                guard stamp != context.changeStamp || conflicts.hasChangedObjects else { return }
                conflicts.hasChangedObjects = false
                try context.prepareToSave()
                context.forgetDiscarded()
            }
        }
    }

    /// Finds objects of the save that will be equal to others under a uniqueness constraint, and applies the merge
    /// policy.
    ///
    /// - Returns: whether there were any.
    private func settleUniqueness() throws -> Bool {
        var settlement = UniquenessSettlement(context)
        var groups: [EqualObjects] = []
        for (number, writer) in writers.sorted(by: { $0.key < $1.key }) {
            groups += try source.translating(writer.connection) {
                try EqualObjects.all(in: context, writer.connection) { self.number(of: $0) == number }
            }
        }
        guard !groups.isEmpty else { return false }
        try withoutUndo {
            try settlement.settle(groups)
            try context.prepareToSave()
            context.forgetDiscarded()
        }
        return true
    }

    /// Returns the number of the store that has an object, or will have it.
    private func number(of object: ManagedObject) -> Int {
        object.key.isTemporary
            ? stores[ObjectIdentifier(object)]?.number ?? 0 : context.model.store(of: object.key.table)
    }

    private func withoutUndo(_ body: () throws -> Void) rethrows {
        let wasRegistering = context.undoManager?.isRegistering ?? false
        if wasRegistering { context.undoManager?.disableRegistration() }
        defer { if wasRegistering { context.undoManager?.enableRegistration() } }
        try body()
    }

    /// Writes everything; if a unique index refuses a row, objects that will be equal are resolved, and everything is
    /// written again.
    private func write() throws -> SavedRows {
        while true {
            let attempted = orderedWriters
            for writer in attempted { try writer.beginAttempt() }
            do {
                let rows = SavedRows(context, try giveKeys())
                try write(rows)
                for writer in attempted { try writer.endAttempt() }
                return rows
            } catch is UniquenessFailure {
                for writer in attempted { try writer.takeBackAttempt() }
                if try settleUniqueness() {
                    try settleConflicts()
                } else {
                    for writer in orderedWriters { try writer.releaseConstraints() }
                }
            }
        }
    }

    private func giveKeys() throws -> [ObjectKey: ObjectKey] {
        var keys: [ObjectKey: ObjectKey] = [:]
        for (number, writer) in writers.sorted(by: { $0.key < $1.key }) {
            let new = context.inserted.objects.filter {
                $0.key.isTemporary && stores[ObjectIdentifier($0)]?.number == number
            }
            for (object, key) in zip(new, try KeyGiver(writer.connection).keys(for: new)) { keys[object.key] = key }
        }
        return keys
    }

    private func write(_ rows: SavedRows) throws {
        for writer in orderedWriters {
            let number = writer.connection.store.number
            func isHere(_ object: ManagedObject) -> Bool {
                context.model.store(of: rows.key(of: object).table) == number
            }
            try writer.write(
                inserted: context.inserted.objects.filter(isHere), updated: context.updated.objects.filter(isHere),
                deleted: context.deleted.objects.filter(isHere), rows)
        }
    }

    /// Marks the objects as saved, with their rows in the stores.
    private func finish(_ rows: SavedRows, _ saved: SavedObjects) {
        let written = saved.inserted + saved.updated
        for object in written { rows.settle(object) }
        var keys = rows.keys
        if saved.inserted.count < context.inserted.count {
            let own = Set(saved.inserted.map(\.key))
            keys = keys.filter { own.contains($0.key) }
        }
        context.replaceKeys(keys)
        context.undoManager?.replaceKeys(keys)
        for object in written {
            object.flags.subtract([.inserted, .updated, .restored])
            context.assignments[ObjectIdentifier(object)] = nil
        }
        for object in saved.deleted {
            for (slot, toOne) in object.shape.toOnes.enumerated() where toOne.isOwner {
                forgetDeleted(object, slot)
            }
            context.rows.forget(object.key)
            let wasFault = object.isFault
            if !wasFault { object.willTurnIntoFault() }
            object.state = nil
            object.block = nil
            object.flags.subtract([.deleted, .realized, .propagated])
            object.flags.insert(.gone)
            context.unregister(object)
            if !wasFault { object.didTurnIntoFault() }
        }
        context.discard()
        context.inserted.remove(saved.inserted)
        context.updated.remove(saved.updated)
        context.deleted.remove(saved.deleted)
        if context.inserted.isEmpty { context.assignments = [:] }
        refreshDerived()
    }

    /// Removes a deleted object from a list in a relationship without an inverse, of which the object does not know.
    private func forgetDeleted(_ object: ManagedObject, _ slot: Int) {
        guard let key = try? object.toOneKey(slot), let owner = context.registry[key], let state = owner.state,
            case .toMany(let other) = owner.shape.slot(of: object.shape.toOnes[slot].inverse)
        else { return }
        state.toManys[other] = nil
    }

    /// Updates derived attributes, which the stores have recomputed, also of objects that were not changed here.
    private func refreshDerived() {
        for object in context.registry.objects where object.flags.contains(.realized) && object.block != nil {
            guard object.shape.attributes.contains(where: \.attribute.isDerived) else { continue }
            object.block = SnapshotBlock(
                table: object.key.table, width: object.shape.table.width, awaiting: [object.key.key])
            object.row = 0
        }
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// A save of a context to the stores: one transaction in each, in which conflicts are settled before anything is
/// written.
final class SaveRun {
    let source: StoreSource
    let context: ManagedObjectContext
    private var writers: [Int: StoreWriter] = [:]
    private var stores: [ObjectIdentifier: PersistentStore] = [:]

    init(_ source: StoreSource, _ context: ManagedObjectContext) {
        self.source = source
        self.context = context
    }

    private var orderedWriters: [StoreWriter] { writers.sorted { $0.key < $1.key }.map(\.value) }

    func execute() throws {
        do {
            try begin()
            try settleConflicts()
            let keys = try giveKeys()
            let rows = SavedRows(context, keys)
            try write(rows)
            for writer in orderedWriters { try writer.complete() }
            for writer in orderedWriters { try writer.commit() }
            finish(rows)
        } catch {
            for writer in orderedWriters { writer.rollBack() }
            throw error
        }
        for writer in orderedWriters { try writer.connection.store.writeBack() }
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
        let writer = StoreWriter(connection)
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

    /// Relationships do not cross stores, and lead to nothing that was never saved.
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

    /// Finds what others have changed, and does what the policy says, until nothing new turns up.
    private func settleConflicts() throws {
        let settlement = ConflictSettlement(context)
        let wasRegistering = context.undoManager?.isRegistering ?? false
        if wasRegistering { context.undoManager?.disableRegistration() }
        defer { if wasRegistering { context.undoManager?.enableRegistration() } }
        while true {
            let stamp = context.changeStamp
            for object in context.updated.objects + context.deleted.objects { try begin(store(of: object)) }
            for (number, writer) in writers.sorted(by: { $0.key < $1.key }) {
                try settlement.settle(writer.connection, number)
            }
            if !settlement.conflicts.isEmpty { throw MergeConflictError(conflictList: settlement.conflicts) }
            guard stamp != context.changeStamp || settlement.hasChangedObjects else { return }
            settlement.hasChangedObjects = false
            try context.prepareToSave()
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

    /// Everything is written: the objects are as the stores have them.
    private func finish(_ rows: SavedRows) {
        let saved = context.inserted.objects + context.updated.objects
        for object in saved { rows.settle(object) }
        context.replaceKeys(rows.keys)
        context.undoManager?.replaceKeys(rows.keys)
        for object in saved { object.flags.subtract([.inserted, .updated, .restored]) }
        for object in context.deleted.objects {
            for (slot, toOne) in object.shape.toOnes.enumerated() where toOne.isOwner {
                forgetDeleted(object, slot)
            }
            context.rows.forget(object.key)
            let wasFault = object.isFault
            object.state = nil
            object.block = nil
            object.flags.subtract([.deleted, .realized, .propagated])
            object.flags.insert(.gone)
            context.unregister(object)
            if !wasFault { object.didTurnIntoFault() }
        }
        context.discard()
        context.inserted = ObjectList()
        context.updated = ObjectList()
        context.deleted = ObjectList()
        context.assignments = [:]
        refreshDerived()
    }

    /// The list that had a deleted object without the object's knowing, in a relationship without inverse.
    private func forgetDeleted(_ object: ManagedObject, _ slot: Int) {
        guard let key = try? object.toOneKey(slot), let owner = context.registry[key], let state = owner.state,
            case .toMany(let other) = owner.shape.slot(of: object.shape.toOnes[slot].inverse)
        else { return }
        state.toManys[other] = nil
    }

    /// The stores have computed derived attributes again, of objects that no one has touched here, too.
    private func refreshDerived() {
        for object in context.registry.objects where object.flags.contains(.realized) && object.block != nil {
            guard object.shape.attributes.contains(where: \.attribute.isDerived) else { continue }
            object.block = SnapshotBlock(
                table: object.key.table, width: object.shape.table.width, awaiting: [object.key.key])
            object.row = 0
        }
    }
}

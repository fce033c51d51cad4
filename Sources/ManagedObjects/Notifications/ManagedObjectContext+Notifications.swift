import ManagedObjectModels
public import PersistentStores

extension ManagedObjectContext {
    /// What the context announces from here on, in order, until the context is gone. Each stream hears everything, and
    /// may be read in another task.
    public func notifications() -> AsyncStream<ContextNotification> { announcements.stream() }

    /// Announces what has changed since the last time, if something has.
    func announceChanges() {
        guard !unannounced.isEmpty else { return }
        let changes = unannounced
        unannounced = ChangeSet()
        guard announcements.isHeard else { return }
        announcements.post(
            .objectsDidChange(
                .init(
                    inserted: ids(changes.inserted.objects), updated: ids(changes.updated.objects),
                    deleted: ids(changes.deleted.objects), refreshed: ids(changes.refreshed.objects))))
    }

    func ids(_ objects: [ManagedObject]) -> Set<ManagedObjectID> { Set(objects.map(\.objectID)) }

    // MARK: - Merging

    /// Takes over what another context has saved: objects that the context has get the new values, under what has
    /// changed in it; those that were deleted go. Objects that it does not have play no part.
    ///
    /// - Throws: `StoreError` if an object with changes cannot be read again; one that is gone by now is left as it is.
    public func mergeChanges(from saved: ContextDidSave) throws {
        var tables: Set<Int32> = []
        for id in saved.inserted.union(saved.updated).union(saved.deleted) {
            if let key = coordinator.key(of: id) { tables.insert(key.table) }
        }
        let wasRegistering = undoManager?.isRegistering ?? false
        if wasRegistering { undoManager?.disableRegistration() }
        defer { if wasRegistering { undoManager?.enableRegistration() } }
        for id in saved.deleted.sorted(by: { $0.uri < $1.uri }) {
            guard let object = registeredObject(for: id) else { continue }
            unannounced.delete(object)
            drop(object)
            // Should somebody save it again, there will be another object for it.
            unregister(object)
        }
        for id in saved.updated.union(saved.inserted).sorted(by: { $0.uri < $1.uri }) {
            guard let object = registeredObject(for: id), !object.isInserted, !object.isDeleted else { continue }
            do {
                try refresh(object, mergeChanges: object.hasChanges)
            } catch let error as ManagedObjectError {
                // It is gone by now; another notification will say so, or the next save.
                guard case .objectNotFound = error.code else { throw error }
            }
            unannounced.refresh(object)
        }
        forgetLinks(to: tables)
        announceChanges()
    }

    /// Takes over what persistent history has of a store since a token: the changes of other programs.
    ///
    /// - Parameters:
    ///   - store: the store whose history is read.
    ///   - token: what was read last; nil to begin with the first transaction that is there.
    ///   - author: only transactions of others than this author; nil for all.
    /// - Returns: the token with which the next call goes on.
    /// - Throws: `StoreError` if the store keeps no history, or has pruned what came after the token.
    @discardableResult
    public func mergeChanges(
        fromHistoryOf store: PersistentStore, since token: HistoryToken?, exceptAuthor author: String? = nil
    ) throws -> HistoryToken {
        let history = try PersistentHistory(SQLiteStore(path: store.workingPath, timeout: store.options.timeout))
        var filter = HistoryFilter()
        filter.since = token
        var merged = ContextDidSave()
        let last = try history.forEach(filter) { transaction, forEachChange in
            guard author == nil || transaction.author != author else { return }
            try forEachChange { change in
                guard let id = change.objectID else { return }
                switch change.kind {
                case .inserted: merged.inserted.insert(id)
                case .deleted:
                    merged.inserted.remove(id)
                    merged.updated.remove(id)
                    merged.deleted.insert(id)
                default: merged.updated.insert(id)
                }
            }
        }
        try mergeChanges(from: merged)
        return last
    }

    /// Relationships that were read before, and lead to objects of these tables, are read again when they are asked for.
    private func forgetLinks(to tables: Set<Int32>) {
        for object in registry.objects {
            guard let state = object.state, !isUnsaved(object) else { continue }
            for (slot, links) in state.toManys.entries where !links.isChanged && links.base != nil {
                let toMany = object.shape.toManys[slot]
                let store = model.store(of: object.key.table)
                let table = model.table(ofEntity: toMany.relationship.destination, store: store)
                if toMany.relationship.isStored, tables.contains(table) { state.toManys[slot] = nil }
            }
        }
    }

    /// Lets go of an object that the store has no longer.
    func drop(_ object: ManagedObject) {
        turnIntoFault(object)
        inserted.remove(object)
        discarded.remove(object)
        object.flags.insert(.gone)
        object.flags.remove(.inserted)
    }
}

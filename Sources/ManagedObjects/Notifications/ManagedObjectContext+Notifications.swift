import ManagedObjectModels
public import PersistentStores

extension ManagedObjectContext {
    /// Returns a stream of the context's announcements from here on, in order, until the context is deallocated. Each
    /// stream receives all of them, and can be read in another task.
    public func notifications() -> AsyncStream<ContextNotification> { announcements.stream() }

    /// Announces the changes since the last announcement, if there are any.
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

    /// Merges what another context has saved: registered objects get the new values, except for unsaved changes;
    /// deleted objects are removed. Objects that are not registered are ignored.
    ///
    /// - Throws: `StoreError` if an object with changes cannot be read again; one that no longer exists is left as it
    ///   is.
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
            // If the object is saved again elsewhere, there will be a new object for it.
            unregister(object)
        }
        for id in saved.updated.union(saved.inserted).sorted(by: { $0.uri < $1.uri }) {
            guard let object = registeredObject(for: id), !object.isInserted, !object.isDeleted else { continue }
            do {
                try refresh(object, mergeChanges: object.hasChanges)
            } catch let error as ManagedObjectError {
                // The object no longer exists; another notification, or the next save, will report that.
                guard case .objectNotFound = error.code else { throw error }
            }
            unannounced.refresh(object)
        }
        forgetLinks(to: tables)
        announceChanges()
    }

    /// Merges the changes in a store's persistent history since a token, such as those of other programs.
    ///
    /// - Parameters:
    ///   - store: the store whose history is read.
    ///   - token: the last token that was read; nil to begin with the first transaction that exists.
    ///   - author: an author whose transactions are ignored; nil for none.
    /// - Returns: the token from which the next call continues.
    /// - Throws: `StoreError` if the store keeps no history, or transactions after the token have been pruned.
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

    /// Drops relationships that were read and lead to objects of these tables, so that they are read again when needed.
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

    /// Removes an object that the store no longer has.
    func drop(_ object: ManagedObject) {
        turnIntoFault(object)
        inserted.remove(object)
        discarded.remove(object)
        object.flags.insert(.gone)
        object.flags.remove(.inserted)
    }
}

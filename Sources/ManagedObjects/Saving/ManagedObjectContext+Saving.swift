import PersistentStores

extension ManagedObjectContext {
    /// Writes all changes to the stores, or to the parent: all of them, or none. Each of several stores has its own
    /// transaction; if a later one cannot commit, the error is an `IncompleteSaveError` (134040).
    ///
    /// First delete rules are applied and objects are validated, then `willSave` of each object is called; changes by
    /// hooks are validated again. Without changes, nothing is written or announced.
    /// - Throws: a validation error, or `ObjectValidationErrors` for several; under the policy `.error`,
    ///   `MergeConflictError` for objects that have been changed elsewhere, and `ConstraintConflictError` for objects
    ///   with equal values under a uniqueness constraint; `StoreError`; `ManagedObjectError`.
    public func save() throws {
        if let error = accessError {
            accessError = nil
            throw error
        }
        isSaving = true
        defer { isSaving = false }
        try processPendingChanges()
        guard hasChanges else {
            discard()
            return
        }
        try prepareToSave()
        forgetDiscarded()
        let saved = try source.save(self)
        for object in saved.all { object.didSave() }
        announceChanges()
        let notification = ContextDidSave(
            inserted: ids(saved.inserted), updated: ids(saved.updated), deleted: ids(saved.deleted))
        if !notification.isEmpty {
            announcements.post(.didSave(notification))
            tellFollowers(notification)
        }
        if let failure = saved.failure { throw failure }
    }

    /// Applies delete rules, validates, and calls the hooks of objects before a save, until nothing changes.
    func prepareToSave() throws {
        for _ in 0..<max(1, limits.hookRounds) {
            try propagateDeletions()
            let stamp = changeStamp
            if let error = ObjectValidationErrors.combining(validationErrors()) { throw error }
            for object in inserted.objects + updated.objects + deleted.objects { object.willSave() }
            if stamp == changeStamp {
                try processPendingChanges()
                return
            }
        }
        throw ManagedObjectError(
            .unstable((updated.objects.last ?? inserted.objects.last)?.shape.name ?? "", rounds: limits.hookRounds))
    }

    /// Removes objects that were inserted and deleted from to-many relationships without an inverse that contain them.
    func forgetDiscarded() {
        for object in discarded.objects {
            for (slot, toOne) in object.shape.toOnes.enumerated() where toOne.isOwner {
                guard let key = object.state?.toOnes[slot] ?? nil, let owner = registry[key],
                    case .toMany(let list) = owner.shape.slot(of: toOne.inverse),
                    var links = owner.state?.toManys[list], links.added.contains(object.key)
                else { continue }
                links.remove(object.key)
                owner.state?.toManys[list] = links
            }
        }
    }

    /// Releases objects that were inserted and deleted.
    func discard() {
        for object in discarded.objects {
            object.flags.insert(.gone)
            object.flags.remove(.realized)
            object.state = nil
            unregister(object)
        }
        discarded = ObjectList()
    }

    // MARK: - IDs

    /// Assigns new objects the IDs with which they will be saved.
    /// - Throws: `ManagedObjectError` if an object belongs to another context, or no store holds its entity;
    ///   `StoreError` if a store cannot be written.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        for object in objects { try check(object) }
        let keys = try source.permanentKeys(for: objects.filter(\.isInserted), of: self)
        replaceKeys(keys)
    }

    /// Registers objects under their new keys.
    func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        guard !keys.isEmpty else { return }
        var announced: [ManagedObjectID: ManagedObjectID] = [:]
        for object in registry.objects {
            if object.key.isTemporary, let new = keys[object.key] {
                let old = object.objectID
                registry.remove(object)
                object.take(new, in: self)
                registry.insert(object)
                announced[old] = object.objectID
                if let block = object.block, !block.isLoaded {
                    object.block = SnapshotBlock(table: new.table, width: block.width, awaiting: [new.key])
                    object.row = 0
                }
            }
            object.state?.replaceKeys(keys)
        }
        if announcements.isHeard, !announced.isEmpty { announcements.post(.didObtainPermanentIDs(announced)) }
        children.removeAll { $0.context == nil }
        for child in children { child.context?.replaceKeys(keys) }
    }

    // MARK: - Taking back

    /// Drops all changes: new objects are removed, deleted ones exist again, and changed ones have the values of the
    /// store. The undo stack is cleared.
    public func rollback() {
        accessError = nil
        undoManager?.removeAllActions()
        undeleted = []
        let new = inserted.objects + discarded.objects
        inserted = ObjectList()
        discarded = ObjectList()
        for object in new {
            object.flags.subtract([.inserted, .realized, .deleted])
            object.flags.insert(.gone)
            object.state = nil
            unannounced.delete(object)
            unregister(object)
        }
        for object in updated.objects + deleted.objects {
            // An object that a save was to write again has no row.
            if object.flags.contains(.restored) { object.flags.remove(.realized) }
            object.flags.subtract([.updated, .deleted, .propagated, .restored])
            object.state?.forgetChanges(of: object.shape)
            wake(object, .rollback)
            noteRefresh(object)
        }
        updated = ObjectList()
        deleted = ObjectList()
        assignments = [:]
        changeStamp += 1
        announceChanges()
    }

    /// Forgets all objects and changes. Objects that the program still references lose their context.
    public func reset() {
        accessError = nil
        undoManager?.removeAllActions()
        undeleted = []
        let objects = registry.objects
        for object in objects where !object.isFault { object.willTurnIntoFault() }
        registry.removeAll()
        rows.removeAll()
        for object in objects {
            let wasFault = object.isFault
            object.flags = []
            object.state = nil
            object.block = nil
            if !wasFault { object.didTurnIntoFault() }
        }
        (inserted, updated, deleted, discarded, retained) = (
            ObjectList(), ObjectList(), ObjectList(), ObjectList(), ObjectList()
        )
        unannounced = ChangeSet()
        assignments = [:]
        changeStamp += 1
    }
}

extension ObjectState {
    /// Drops the changes; transient values, and relationships as stored, are kept.
    func forgetChanges(of shape: EntityShape) {
        attributes.removeAll { slot, _ in shape.attributes[slot].position != nil }
        toOnes.removeAll { _, _ in true }
        var links = SlotMap<ToManyState>()
        for (slot, state) in toManys.entries {
            var state = state
            state.forgetChanges()
            if state.base != nil { links[slot] = state }
        }
        toManys = links
    }

    /// Replaces temporary keys by those with which objects were saved.
    func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        for (slot, key) in toOnes.entries {
            if let key, let new = keys[key] { toOnes[slot] = .some(new) }
        }
        for (slot, state) in toManys.entries {
            var state = state
            state.replaceKeys(keys)
            toManys[slot] = state
        }
    }
}

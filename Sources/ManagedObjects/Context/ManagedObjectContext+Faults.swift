import ManagedObjectModels

extension ManagedObjectContext {
    /// Fills a fault with its values.
    ///
    /// - Parameter positions: the requested positions of its row; others may be read later. nil for all.
    func realize(_ object: ManagedObject, reading positions: Range<Int>? = nil) throws {
        guard !object.flags.contains(.realized) else {
            if positions == nil { try completeRow(of: object) }
            return
        }
        guard !object.flags.contains(.gone) else { throw ManagedObjectError(.objectNotFound(object.objectID)) }
        let block = block(of: object)
        if !(positions.map { block.hasRead($0) } ?? block.isLoaded) { try source.load(block, positions) }
        guard block.has(Int(object.row)) else {
            object.block = nil
            throw ManagedObjectError(.objectNotFound(object.objectID))
        }
        object.flags.insert(.realized)
        awaking { object.awakeFromFetch() }
    }

    /// Notifies an object with values that they have changed.
    func wake(_ object: ManagedObject, _ events: SnapshotEvents) {
        guard !object.isFault, !object.flags.contains(.gone) else { return }
        awaking { object.awakeFromSnapshotEvents(events) }
    }

    /// Calls a hook whose changes are not recorded.
    private func awaking(_ hook: () -> Void) {
        let wasAwaking = isAwaking
        isAwaking = true
        hook()
        isAwaking = wasAwaking
    }

    /// Reads the columns of an object's row that were left out earlier.
    func completeRow(of object: ManagedObject) throws {
        guard let block = object.block, block.hasRows else { return }
        if !block.isLoaded { try source.load(block) }
        guard block.has(Int(object.row)) else { throw ManagedObjectError(.objectNotFound(object.objectID)) }
    }

    private func block(of object: ManagedObject) -> SnapshotBlock {
        if let block = object.block { return block }
        let key = object.key
        let block = SnapshotBlock(table: key.table, width: model.shape(of: key.table).width, awaiting: [key.key])
        object.block = block
        object.row = 0
        return block
    }

    /// Fills faults with their values, many with each query. Objects that no longer exist stay faults.
    /// - Throws: `ManagedObjectError` if an object belongs to another context; `StoreError` if a store cannot be read.
    public func realize(_ objects: [ManagedObject]) throws {
        for object in objects { try check(object) }
        let faults = objects.filter { $0.isFault && !$0.flags.contains(.gone) }
        try readRows(of: faults)
        for object in faults {
            do {
                try realize(object)
            } catch let error as ManagedObjectError {
                guard case .objectNotFound = error.code else { throw error }
            }
        }
    }

    /// Reads the rows of faults without filling the faults.
    func readRows(of objects: [ManagedObject]) throws {
        let faults = objects.filter { $0.isFault && !$0.flags.contains(.gone) }
        var keys: [Int32: [ManagedObject]] = [:]
        for object in faults where object.block == nil { keys[object.key.table, default: []].append(object) }
        for (table, waiting) in keys.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: waiting.count, by: max(1, limits.rowsPerBlock)) {
                let part = waiting[start..<min(start + max(1, limits.rowsPerBlock), waiting.count)]
                let block = SnapshotBlock(
                    table: table, width: model.shape(of: table).width, awaiting: part.map(\.key.key))
                for (row, object) in part.enumerated() {
                    object.block = block
                    object.row = Int32(row)
                }
            }
        }
        for object in faults {
            if let block = object.block, !block.isLoaded { try source.load(block) }
        }
    }

    // MARK: - Refreshing

    /// Updates an object with the current values in the store.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - mergeChanges: whether unsaved changes and transient values are kept, over the new values; if false, the
    ///     object becomes a fault, and its changes are lost.
    /// - Throws: `ManagedObjectError` with code `objectNotFound` if changes are to be merged and the object no longer
    ///   exists, and for an object of another context; `StoreError` if the store cannot be read.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        try check(object)
        guard !object.isInserted, !discarded.contains(object) else { return }
        guard mergeChanges else {
            turnIntoFault(object)
            return
        }
        let old = object.state
        let wasFault = object.isFault
        object.state = nil
        object.block = nil
        object.flags.remove(.realized)
        if let old {
            let fresh = ObjectState()
            for (slot, links) in old.toManys.entries where links.isChanged {
                var links = links
                links.base = nil
                // An order that was set explicitly needs the links that it refers to.
                fresh.toManys[slot] = links.order == nil ? links : old.toManys[slot]
            }
            object.state = fresh
        }
        guard !wasFault || old != nil else { return }
        do {
            try realize(object)
        } catch {
            object.state = old
            throw error
        }
        guard let old else { return }
        let state = object.changing()
        for (slot, value) in old.attributes.entries {
            // A value that the store now has is no longer a change.
            object.write(slot, value)
            if object.shape.attributes[slot].position == nil { state.attributes[slot] = .some(value) }
        }
        for (slot, key) in old.toOnes.entries { object.write(toOne: slot, key) }
        wake(object, .refresh)
        noteRefresh(object)
    }

    /// Turns all unchanged objects into faults, and merges the changes of the others.
    /// - Throws: `ManagedObjectError.objectNotFound` if a changed object no longer exists in its store; `StoreError` if
    ///   a store cannot be read.
    public func refreshAllObjects() throws {
        for object in registry.objects where !object.isInserted {
            try refresh(object, mergeChanges: object.hasChanges)
        }
    }

    /// Drops the values, the relationships that were read, and all changes.
    func turnIntoFault(_ object: ManagedObject) {
        let wasFault = object.isFault
        if !wasFault { object.willTurnIntoFault() }
        object.state = nil
        object.block = nil
        object.flags.subtract([.realized, .updated, .deleted, .propagated])
        updated.remove(object)
        deleted.remove(object)
        undeleted.removeAll { $0 === object }
        if !wasFault {
            object.didTurnIntoFault()
            noteRefresh(object)
        }
    }

    // MARK: - Relationships

    /// Returns the keys of the objects of a to-many relationship, in order; reads the links in the store first.
    func links(of object: ManagedObject, _ slot: Int) throws -> [ObjectKey] {
        if object.state?.toManys[slot]?.base == nil { try readLinks(of: [object], slot) }
        let keys = object.state?.toManys[slot]?.keys ?? []
        // A deleted object is not removed from such a list automatically, since it has no inverse relationship.
        guard case .owner = object.shape.toManys[slot].inverse else { return keys }
        return keys.filter { !(registry[$0]?.isDeleted ?? false) }
    }

    /// Reads the stored links of a to-many relationship of objects of one entity; keeps links that were read before.
    func readLinks(of objects: [ManagedObject], _ slot: Int) throws {
        var waiting: [ManagedObject] = []
        for object in objects where object.state?.toManys[slot]?.base == nil {
            guard !object.flags.contains(.gone) else { throw ManagedObjectError(.objectNotFound(object.objectID)) }
            let isSaved = object.shape.toManys[slot].relationship.isStored && !isUnsaved(object)
            if isSaved {
                waiting.append(object)
            } else {
                object.changing().setBase([], of: slot)
            }
        }
        guard let first = waiting.first else { return }
        let relationship = first.shape.toManys[slot].relationship
        let links = try source.links(waiting.map(\.key), relationship)
        for (object, links) in zip(waiting, links) { object.changing().setBase(links, of: slot) }
    }

    /// Returns whether the object is neither in a store nor in a parent context.
    func isUnsaved(_ object: ManagedObject) -> Bool {
        object.isInserted || discarded.contains(object)
    }
}

extension ObjectState {
    func setBase(_ links: [ToManyState.Link], of slot: Int) {
        var state = toManys[slot] ?? ToManyState()
        state.base = links
        toManys[slot] = state
    }
}

import ManagedObjectModels
import PersistentStores

extension ManagedObjectContext {
    // MARK: - New objects

    /// Makes an object with the model's default values.
    ///
    /// - Throws: `ManagedObjectError` for an entity that is unknown or abstract.
    @discardableResult
    public func insert(_ entityName: String) throws -> ManagedObject {
        guard let shape = model.shape(named: entityName) else {
            throw ManagedObjectError(.entityUnknown(entityName, known: model.resolved.entities.map(\.name)))
        }
        guard !shape.entity.isAbstract else { throw ManagedObjectError(.entityAbstract(entityName)) }
        let object = make(shape, temporaryKey(of: shape))
        object.flags.formUnion([.inserted, .realized])
        let state = object.changing()
        for (slot, value) in coordinator.rules.defaults(of: shape.entity.slot) { state.attributes[slot] = .some(value) }
        inserted.append(object)
        noteChange(object)
        undoManager?.note(.insertion(object))
        object.awakeFromInsert()
        return object
    }

    /// Makes an object of the entity that a class was registered for.
    /// - Throws: `ManagedObjectError` if the class is not registered, the entity is abstract, or no store has the
    ///   entity.
    @discardableResult
    public func insert<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        guard let name = coordinator.options.classes.entityName(of: type) else {
            throw ManagedObjectError(.classNotRegistered("\(type)"))
        }
        guard let object = try insert(name) as? Object else { throw ManagedObjectError(.classNotRegistered("\(type)")) }
        return object
    }

    func temporaryKey(of shape: EntityShape) -> ObjectKey {
        ObjectKey(
            table: model.table(ofEntity: shape.entity.slot, store: 0),
            entity: Int32(truncatingIfNeeded: shape.entity.slot), key: ManagedObjectID.nextTemporaryKey())
    }

    /// Sets the store of a new object, if several stores may contain it.
    ///
    /// - Throws: `ManagedObjectError` for an object that has been saved or belongs to another context, and for a store
    ///   that is read-only, does not belong to the coordinator, or does not have the object's entity.
    public func assign(_ object: ManagedObject, to store: PersistentStore) throws {
        try check(object)
        guard object.isInserted, object.key.isTemporary else {
            throw ManagedObjectError(.assignmentOfSaved(object.objectID))
        }
        guard coordinator.persistentStores.contains(where: { $0 === store }) else {
            throw ManagedObjectError(.storeUnknown(store.path))
        }
        guard store.entities.contains(object.shape.entity.slot) else {
            throw ManagedObjectError(.entityNotInStore(object.shape.name, store: store.path))
        }
        guard !store.options.isReadOnly else { throw ManagedObjectError(.storeReadOnly(store.path)) }
        assignments[ObjectIdentifier(object)] = store
    }

    // MARK: - Deletion

    /// Marks an object for deletion; delete rules are applied when pending changes are processed.
    /// - Throws: `ManagedObjectError` if the object belongs to another context, or to none.
    public func delete(_ object: ManagedObject) throws {
        try check(object)
        guard !object.isDeleted, !object.flags.contains(.gone) else { return }
        object.prepareForDeletion()
        undoManager?.note(.deletion(object, wasInserted: object.isInserted))
        markDeleted(object)
    }

    func markDeleted(_ object: ManagedObject) {
        if object.isInserted {
            inserted.remove(object)
            object.flags.remove(.inserted)
            discarded.append(object)
        } else {
            updated.remove(object)
            deleted.append(object)
        }
        object.flags.insert(.deleted)
        undeleted.append(object)
        changeStamp += 1
        unannounced.delete(object)
    }

    /// Applies the delete rules of deleted objects, announces changes, and ends an undo step. Also merges changes that
    /// other contexts have saved, if automatic merging is on.
    /// - Throws: `StoreError` or `ManagedObjectError` if objects that delete rules lead to, or that others have
    ///   changed, cannot be read.
    public func processPendingChanges() throws {
        try mergeSavedElsewhere()
        try propagateDeletions()
        undoManager?.endEvent()
        announceChanges()
    }

    func propagateDeletions() throws {
        while !undeleted.isEmpty {
            let object = undeleted.removeFirst()
            guard object.isDeleted, !object.flags.contains(.propagated) else { continue }
            object.flags.insert(.propagated)
            do {
                try propagate(object)
            } catch let error as ManagedObjectError {
                // An object that has already been deleted elsewhere has no delete rules to apply.
                guard case .objectNotFound = error.code else { throw error }
            }
        }
    }

    private func propagate(_ object: ManagedObject) throws {
        for (slot, toOne) in object.shape.toOnes.enumerated() where !toOne.isOwner {
            let rule = toOne.relationship.description.deleteRule
            guard rule == .cascade || rule == .nullify, let key = try object.toOneKey(slot) else { continue }
            let destination = self.object(key)
            if rule == .cascade {
                try deleteIfThere(destination)
            } else if case .property = toOne.inverse {
                try setToOne(object, slot, to: nil)
            }
        }
        for (slot, toMany) in object.shape.toManys.enumerated() {
            let rule = toMany.relationship.description.deleteRule
            guard rule == .cascade || rule == .nullify else { continue }
            for key in try links(of: object, slot) {
                let destination = self.object(key)
                if rule == .cascade {
                    try deleteIfThere(destination)
                } else {
                    try part(object, slot, from: destination)
                }
            }
        }
    }

    private func deleteIfThere(_ object: ManagedObject) throws {
        do {
            if object.isFault { try realize(object) }
            try delete(object)
        } catch let error as ManagedObjectError {
            guard case .objectNotFound = error.code else { throw error }
        }
    }

    // MARK: - Values

    func setAttribute(_ object: ManagedObject, _ slot: Int, to value: AttributeValue?) {
        do {
            let old = try object.currentValue(slot)
            guard old != value else { return }
            if !isAwaking {
                undoManager?.note(.attribute(object, slot, old: old, new: value))
                noteChange(object)
            }
        } catch {
            note(error)
            return
        }
        object.changing(object.shape.attributes[slot].attribute.name) { object.write(slot, value) }
    }

    // MARK: - Links

    /// Makes a to-one relationship lead to an object; its inverse is updated on both sides.
    func setToOne(_ object: ManagedObject, _ slot: Int, to destination: ManagedObject?) throws {
        let old = try object.toOneKey(slot)
        guard old != destination?.key else { return }
        let inverse = object.shape.toOnes[slot].inverse
        if let old { try unlink(object, from: self.object(old), inverse) }
        if let destination, case .toOne(let other) = destination.shape.slot(of: inverse),
            let partner = try destination.toOneKey(other), partner != object.key
        {
            // The object to which the destination was linked before loses the link.
            rawSet(self.object(partner), self.slot(of: object, slot, in: self.object(partner)), nil)
        }
        rawSet(object, slot, destination?.key)
        if let destination { try link(object, at: destination, inverse) }
    }

    /// Returns the slot of the same relationship in an object of another entity.
    private func slot(of object: ManagedObject, _ slot: Int, in other: ManagedObject) -> Int {
        guard other.shape !== object.shape else { return slot }
        if case .toOne(let found) = other.shape.slot(named: object.shape.toOnes[slot].relationship.name) {
            return found
        }
        return slot
    }

    /// Removes an object from the inverse relationship of its destination.
    private func unlink(_ object: ManagedObject, from destination: ManagedObject, _ inverse: EntityShape.Inverse) throws
    {
        switch destination.shape.slot(of: inverse) {
        case .toOne(let slot):
            do {
                if try destination.toOneKey(slot) == object.key { rawSet(destination, slot, nil) }
            } catch let error as ManagedObjectError {
                // The link led to no existing object.
                guard case .objectNotFound = error.code else { throw error }
            }
        case .toMany(let slot): try rawRemove(destination, slot, object.key)
        default: break
        }
    }

    private func link(_ object: ManagedObject, at destination: ManagedObject, _ inverse: EntityShape.Inverse) throws {
        switch destination.shape.slot(of: inverse) {
        case .toOne(let slot): rawSet(destination, slot, object.key)
        case .toMany(let slot): try rawAdd(destination, slot, object.key)
        default: break
        }
    }

    /// Adds an object to a to-many relationship that does not lead to it yet.
    func link(_ object: ManagedObject, _ slot: Int, with destination: ManagedObject) throws {
        let inverse = object.shape.toManys[slot].inverse
        switch destination.shape.slot(of: inverse) {
        case .toOne(let other):
            try realize(destination)
            try setToOne(destination, other, to: object)
        case .toMany(let other):
            let isSymmetric = object === destination && slot == other
            try rawAdd(object, slot, destination.key)
            if !isSymmetric { try rawAdd(destination, other, object.key) }
        default: try rawAdd(object, slot, destination.key)
        }
    }

    /// Removes an object from a to-many relationship that leads to it.
    func part(_ object: ManagedObject, _ slot: Int, from destination: ManagedObject) throws {
        let inverse = object.shape.toManys[slot].inverse
        switch destination.shape.slot(of: inverse) {
        case .toOne(let other):
            do {
                try realize(destination)
                try setToOne(destination, other, to: nil)
            } catch let error as ManagedObjectError {
                guard case .objectNotFound = error.code else { throw error }
                try rawRemove(object, slot, destination.key)
            }
        case .toMany(let other):
            let isSymmetric = object === destination && slot == other
            try rawRemove(object, slot, destination.key)
            if !isSymmetric { try rawRemove(destination, other, object.key) }
        default: try rawRemove(object, slot, destination.key)
        }
    }

    func reorder(_ object: ManagedObject, _ slot: Int, _ keys: [ObjectKey]) {
        guard var links = object.state?.toManys[slot], links.keys != keys else { return }
        undoManager?.note(.order(object, slot, old: links.keys, new: keys))
        links.reorder(keys)
        take(links, object, slot)
    }

    // MARK: - One side of a link

    func rawSet(_ object: ManagedObject, _ slot: Int, _ key: ObjectKey?) {
        do {
            let old = try object.toOneKey(slot)
            guard old != key else { return }
            undoManager?.note(.toOne(object, slot, old: old, new: key))
            let toOne = object.shape.toOnes[slot]
            if toOne.isOwner {
                object.write(toOne: slot, key)
            } else {
                object.changing(toOne.relationship.name) { object.write(toOne: slot, key) }
            }
            noteChange(object)
        } catch {
            note(error)
        }
    }

    func rawAdd(_ object: ManagedObject, _ slot: Int, _ key: ObjectKey) throws {
        try readForUndo(object, slot)
        var links = object.state?.toManys[slot] ?? ToManyState()
        undoManager?.note(.addition(object, slot, key))
        links.add(key, isOrdered: object.shape.toManys[slot].isOrdered)
        take(links, object, slot)
    }

    private func take(_ links: ToManyState, _ object: ManagedObject, _ slot: Int) {
        object.changing(object.shape.toManys[slot].relationship.name) { object.changing().toManys[slot] = links }
        noteChange(object)
    }

    func rawRemove(_ object: ManagedObject, _ slot: Int, _ key: ObjectKey) throws {
        try readForUndo(object, slot)
        var links = object.state?.toManys[slot] ?? ToManyState()
        undoManager?.note(.removal(object, slot, key, from: links.base == nil ? [] : links.keys))
        links.remove(key)
        take(links, object, slot)
    }

    /// Reads a relationship in order, so that an undo can restore an object's position.
    private func readForUndo(_ object: ManagedObject, _ slot: Int) throws {
        guard undoManager?.isRegistering ?? false, object.shape.toManys[slot].isOrdered, !object.flags.contains(.gone)
        else { return }
        try readLinks(of: [object], slot)
    }

    // MARK: - Notes

    /// Notes that an object has changed: the context keeps it until it is saved.
    func noteChange(_ object: ManagedObject) {
        changeStamp += 1
        if object.isInserted {
            unannounced.insert(object)
        } else if !object.isDeleted {
            object.flags.insert(.updated)
            updated.append(object)
            unannounced.update(object)
        }
    }

    func noteRefresh(_ object: ManagedObject) { unannounced.refresh(object) }
}

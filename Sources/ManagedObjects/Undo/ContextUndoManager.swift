import ManagedObjectModels

/// Takes changes of a context back, and makes them again.
///
/// What happens until pending changes are processed is one step, and so is what happens in a group. Values that are not
/// stored take part. A save does not end what can be undone; a rollback and a reset do.
public final class ContextUndoManager {
    weak var context: ManagedObjectContext?

    /// How many steps are kept; 0 for all.
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }

    private var event = UndoGroup()
    private var undos: [UndoGroup] = []
    private var redos: [UndoGroup] = []
    private var depth = 0
    private var disabledCount = 0

    private enum Work {
        case none, undoing, redoing
    }

    private var work = Work.none

    /// Makes a manager without steps; a context sets it to work.
    public init() {}

    /// Whether there is a step to take back.
    public var canUndo: Bool { !undos.isEmpty || !event.isEmpty }
    /// Whether there is a step to make again.
    public var canRedo: Bool { !redos.isEmpty }

    /// Whether changes are noted.
    public var isRegistering: Bool { disabledCount == 0 }

    /// Changes from here on are not noted, until `enableRegistration()` is called as often.
    public func disableRegistration() {
        endEvent()
        disabledCount += 1
    }

    /// Ends what `disableRegistration()` began.
    public func enableRegistration() { disabledCount = max(0, disabledCount - 1) }

    /// Everything until `endGrouping()` is one step, however often changes are processed. Groups may be nested.
    public func beginGrouping() {
        if depth == 0 { endEvent() }
        depth += 1
    }

    /// Ends what `beginGrouping()` began; without effect if no group is open.
    public func endGrouping() {
        guard depth > 0 else { return }
        depth -= 1
        endEvent()
    }

    /// Forgets what can be undone and redone.
    public func removeAllActions() {
        event = UndoGroup()
        undos = []
        redos = []
    }

    /// Takes the last step back; without effect if there is none.
    ///
    /// - Throws: `ManagedObjectError` or `StoreError` if the objects in question cannot be read.
    public func undo() throws {
        guard let context else { return }
        try context.processPendingChanges()
        guard depth == 0, let group = undos.popLast() else { return }
        let reverse = try apply(group, in: context, .undoing)
        if !reverse.isEmpty { redos.append(reverse) }
    }

    /// Makes the step again that was taken back last; without effect if something else has happened since.
    /// - Throws: `ManagedObjectError` or `StoreError` if the objects in question cannot be read.
    public func redo() throws {
        guard let context else { return }
        try context.processPendingChanges()
        guard depth == 0, let group = redos.popLast() else { return }
        let reverse = try apply(group, in: context, .redoing)
        if !reverse.isEmpty { undos.append(reverse) }
    }

    // MARK: - Noting

    func note(_ action: ChangeAction) {
        guard isRegistering else { return }
        if case .none = work { redos = [] }
        event.append(action)
    }

    /// Ends a step, unless a group is open.
    func endEvent() {
        guard depth == 0, case .none = work, !event.isEmpty else { return }
        undos.append(event)
        event = UndoGroup()
        trim()
    }

    func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        event.replaceKeys(keys)
        for index in undos.indices { undos[index].replaceKeys(keys) }
        for index in redos.indices { redos[index].replaceKeys(keys) }
    }

    private func trim() {
        if levelsOfUndo > 0, undos.count > levelsOfUndo { undos.removeFirst(undos.count - levelsOfUndo) }
    }

    // MARK: - Taking back

    /// The opposite of a group, which takes the taking back back.
    private func apply(_ group: UndoGroup, in context: ManagedObjectContext, _ kind: Work) throws -> UndoGroup {
        work = kind
        defer { work = .none }
        var group = group
        // Deleted objects first: what the other changes lead to must be there, under the key that it has then.
        for action in group.actions.reversed() {
            guard case .deletion(let object, let wasInserted) = action else { continue }
            let old = object.key
            context.revive(object, wasInserted: wasInserted, group.remains[ObjectIdentifier(object)])
            note(.insertion(object))
            guard object.key != old else { continue }
            group.replaceKeys([old: object.key])
            replaceKeys([old: object.key])
        }
        // Where a merge policy has put another object in the place of one, nothing is left to take back.
        for action in group.actions.reversed() where !action.object.flags.contains(.gone) {
            try reverse(action, context)
        }
        wake(group, context)
        try context.processPendingChanges()
        let result = event
        event = UndoGroup()
        return result
    }

    private func wake(_ group: UndoGroup, _ context: ManagedObjectContext) {
        var events: [ObjectIdentifier: SnapshotEvents] = [:]
        var objects: [ManagedObject] = []
        for action in group.actions {
            let event: SnapshotEvents =
                switch action {
                case .insertion: .undoInsertion
                case .deletion: .undoDeletion
                case .attribute, .toOne, .addition, .removal, .order: .undoUpdate
                }
            let object = action.object
            if events.updateValue(events[ObjectIdentifier(object), default: []].union(event), forKey: .init(object))
                == nil
            {
                objects.append(object)
            }
        }
        for object in objects { context.wake(object, events[ObjectIdentifier(object)] ?? []) }
    }

    private func reverse(_ action: ChangeAction, _ context: ManagedObjectContext) throws {
        switch action {
        case .insertion(let object):
            note(.deletion(object, wasInserted: object.isInserted))
            context.markDeleted(object)
            // What led to it is taken back by itself.
            object.flags.insert(.propagated)
        case .deletion: break
        case .attribute(let object, let slot, let old, _): context.setAttribute(object, slot, to: old)
        case .toOne(let object, let slot, let old, _): context.rawSet(object, slot, old)
        case .addition(let object, let slot, let key): try context.rawRemove(object, slot, key)
        case .removal(let object, let slot, let key, let keys):
            try context.rawAdd(object, slot, key)
            if object.shape.toManys[slot].isOrdered, !keys.isEmpty { context.reorder(object, slot, keys) }
        case .order(let object, let slot, let old, _): context.reorder(object, slot, old)
        }
    }
}

extension ManagedObjectContext {
    /// Has a deleted object again: as it was, or, if its deletion has been saved, as a new one with its old values.
    func revive(_ object: ManagedObject, wasInserted: Bool, _ remains: UndoGroup.Remains?) {
        undeleted.removeAll { $0 === object }
        discarded.remove(object)
        deleted.remove(object)
        let wasGone = object.flags.contains(.gone)
        var owners: [(slot: Int, key: ObjectKey)] = []
        object.flags.subtract([.deleted, .propagated, .gone])
        if wasGone {
            object.take(temporaryKey(of: object.shape), in: self)
            register(object)
            object.block = remains?.block
            object.row = remains?.row ?? 0
            let state = object.changing()
            for (slot, attribute) in object.shape.attributes.enumerated() where !attribute.attribute.isDerived {
                if let pending = remains?.attributes[slot] {
                    state.attributes[slot] = .some(pending)
                } else if let stored = try? object.storedValue(slot) {
                    state.attributes[slot] = .some(stored)
                }
            }
            for (slot, key) in remains?.toOnes ?? [] where object.shape.toOnes[slot].relationship.isStored {
                if object.shape.toOnes[slot].isOwner {
                    owners.append((slot, key))
                } else {
                    state.toOnes[slot] = .some(key)
                }
            }
            object.block = nil
        }
        if wasGone || wasInserted {
            object.flags.formUnion([.inserted, .realized])
            inserted.append(object)
        }
        noteChange(object)
        for (slot, key) in owners {
            if let owner = registry[key] { noting { try setToOne(object, slot, to: owner) } }
        }
        if !object.isInserted, !(object.state?.isChanged(of: object.shape) ?? false) {
            updated.remove(object)
            object.flags.remove(.updated)
        }
    }
}

extension ManagedObjectContext {
    private func noting(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            note(error)
        }
    }
}

extension ObjectState {
    /// Whether something differs from what the store has.
    func isChanged(of shape: EntityShape) -> Bool {
        !toOnes.isEmpty || attributes.entries.contains { shape.attributes[$0.slot].position != nil }
            || toManys.entries.contains { $0.value.isChanged }
    }
}

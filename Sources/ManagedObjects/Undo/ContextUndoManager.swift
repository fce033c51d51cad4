import ManagedObjectModels

/// Undoes and redoes changes of a context.
///
/// All changes until pending changes are processed form one step, as do all changes in a group. Transient values are
/// included. The steps survive a save, but not a rollback or a reset.
public final class ContextUndoManager {
    weak var context: ManagedObjectContext?

    /// The maximum number of steps; 0 for no limit.
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

    /// Makes a manager without steps; set it as a context's `undoManager`.
    public init() {}

    /// Whether there is a step to undo.
    public var canUndo: Bool { !undos.isEmpty || !event.isEmpty }
    /// Whether there is a step to redo.
    public var canRedo: Bool { !redos.isEmpty }

    /// Whether changes are recorded.
    public var isRegistering: Bool { disabledCount == 0 }

    /// Stops recording changes, until `enableRegistration()` is called the same number of times.
    public func disableRegistration() {
        endEvent()
        disabledCount += 1
    }

    /// Reverses a call of `disableRegistration()`.
    public func enableRegistration() { disabledCount = max(0, disabledCount - 1) }

    /// Begins a group: all changes until `endGrouping()` form one step, however often changes are processed. Groups may
    /// be nested.
    public func beginGrouping() {
        if depth == 0 { endEvent() }
        depth += 1
    }

    /// Ends a group that `beginGrouping()` began; does nothing if no group is open.
    public func endGrouping() {
        guard depth > 0 else { return }
        depth -= 1
        endEvent()
    }

    /// Removes all steps.
    public func removeAllActions() {
        event = UndoGroup()
        undos = []
        redos = []
    }

    /// Undoes the last step; does nothing if there is none.
    ///
    /// - Throws: `ManagedObjectError` or `StoreError` if the affected objects cannot be read.
    public func undo() throws {
        guard let context else { return }
        try context.processPendingChanges()
        guard depth == 0, let group = undos.popLast() else { return }
        let reverse = try apply(group, in: context, .undoing)
        if !reverse.isEmpty { redos.append(reverse) }
    }

    /// Redoes the last step that was undone; does nothing if there were other changes since.
    /// - Throws: `ManagedObjectError` or `StoreError` if the affected objects cannot be read.
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

    /// Reverses a group, and returns the group that reverses this in turn.
    private func apply(_ group: UndoGroup, in context: ManagedObjectContext, _ kind: Work) throws -> UndoGroup {
        work = kind
        defer { work = .none }
        var group = group
        // Deleted objects first: the objects that other changes refer to must exist, under their current keys.
        for action in group.actions.reversed() {
            guard case .deletion(let object, let wasInserted) = action else { continue }
            let old = object.key
            context.revive(object, wasInserted: wasInserted, group.remains[ObjectIdentifier(object)])
            note(.insertion(object))
            guard object.key != old else { continue }
            group.replaceKeys([old: object.key])
            replaceKeys([old: object.key])
        }
        // If a merge policy has replaced an object by another one, there is nothing left to undo.
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
            // The links to the object are undone separately.
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
    /// Restores a deleted object: as it was or, if its deletion has been saved, as a new object with its old values.
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
    /// Returns whether the object differs from its stored state.
    func isChanged(of shape: EntityShape) -> Bool {
        !toOnes.isEmpty || attributes.entries.contains { shape.attributes[$0.slot].position != nil }
            || toManys.entries.contains { $0.value.isChanged }
    }
}

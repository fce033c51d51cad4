import ManagedObjectModels

/// Applies the changes of a child context to its parent.
struct ChildSave {
    private let child: ManagedObjectContext
    private let parent: ManagedObjectContext

    init(_ child: ManagedObjectContext, into parent: ManagedObjectContext) {
        self.child = child
        self.parent = parent
    }

    func execute() throws {
        // All objects must exist before links to them are made.
        for object in child.inserted.objects { adopt(object) }
        for object in child.inserted.objects + child.updated.objects { try apply(object) }
        for object in child.deleted.objects {
            if let own = existing(object) { try parent.delete(own) }
        }
        try parent.processPendingChanges()
        finish()
    }

    private func adopt(_ object: ManagedObject) {
        let own = parent.object(object.ownKey)
        own.flags.formUnion([.inserted, .realized])
        parent.inserted.append(own)
        if let store = child.assignments[ObjectIdentifier(object)] { parent.assignments[ObjectIdentifier(own)] = store }
        parent.undoManager?.note(.insertion(own))
        parent.noteChange(own)
    }

    /// Returns nil for an object that the parent's store no longer has.
    private func existing(_ object: ManagedObject) -> ManagedObject? {
        let own = parent.object(object.ownKey)
        return own.flags.contains(.gone) ? nil : own
    }

    private func apply(_ object: ManagedObject) throws {
        guard let state = object.state, let own = existing(object) else { return }
        if !state.attributes.isEmpty || !state.toOnes.isEmpty { try parent.realize(own) }
        for (slot, value) in state.attributes.entries { parent.setAttribute(own, slot, to: value) }
        for (slot, key) in state.toOnes.entries { parent.rawSet(own, slot, key) }
        for (slot, links) in state.toManys.entries where links.isChanged {
            let known = own.state?.toManys[slot]
            let there = known?.base == nil ? nil : known.map { Set($0.keys) }
            for key in links.removed where there?.contains(key) ?? true { try parent.rawRemove(own, slot, key) }
            for key in links.added.keys where !(there?.subtracting(links.removed).contains(key) ?? false) {
                try parent.rawAdd(own, slot, key)
            }
            guard let order = links.order else { continue }
            let current = try parent.links(of: own, slot)
            let members = Set(current)
            let given = Set(order)
            parent.reorder(own, slot, order.filter(members.contains) + current.filter { !given.contains($0) })
        }
    }

    private func finish() {
        for object in child.inserted.objects + child.updated.objects {
            if let state = object.state {
                state.attributes.removeAll { slot, _ in object.shape.attributes[slot].position != nil }
                state.toOnes.removeAll { slot, _ in object.shape.toOnes[slot].relationship.isStored }
                var links = SlotMap<ToManyState>()
                for (slot, old) in state.toManys.entries {
                    var settled = old
                    if object.isInserted, settled.base == nil { settled.base = [] }
                    settled.settle([:])
                    if settled.base != nil { links[slot] = settled }
                }
                state.toManys = links
            }
            if object.flags.contains(.realized) {
                object.block = SnapshotBlock(
                    table: object.key.table, width: object.shape.table.width, awaiting: [object.key.key])
                object.row = 0
            }
            object.flags.subtract([.inserted, .updated])
        }
        for object in child.deleted.objects {
            object.state = nil
            object.block = nil
            object.flags.subtract([.deleted, .realized, .propagated])
            object.flags.insert(.gone)
            child.unregister(object)
        }
        child.discard()
        child.inserted = ObjectList()
        child.updated = ObjectList()
        child.deleted = ObjectList()
        child.assignments = [:]
    }
}

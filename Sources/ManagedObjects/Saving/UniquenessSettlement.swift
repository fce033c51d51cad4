import ManagedObjectModels
import PersistentStores

/// Applies a merge policy to objects that have equal values under a uniqueness constraint, so that one of them remains.
struct UniquenessSettlement {
    private let context: ManagedObjectContext
    /// The policy for the current group.
    private var policy = MergePolicy.error

    init(_ context: ManagedObjectContext) { self.context = context }

    /// Whether the values in the context take precedence.
    private var isTrump: Bool { policy == .overwrite || policy == .mergeByPropertyObjectTrump }

    // MARK: - Reporting

    func conflict(_ group: EqualObjects) throws -> ConstraintConflict {
        var snapshot: MergeConflict.Values?
        if let holder = group.holder {
            let block = SnapshotBlock(
                table: holder.key.table, width: holder.shape.table.width, awaiting: [holder.key.key])
            try context.source.load(block)
            snapshot = MergeConflict.Values(holder, block, 0, in: context)
        }
        let values = group.changed.map { MergeConflict.Values($0) }
        return ConstraintConflict(
            entityName: context.model.resolved.entities[group.constraint.entity].name,
            constraint: group.constraint.names,
            constraintValues: values.first?.only(group.constraint.names) ?? .init(),
            databaseObject: group.holder?.objectID, databaseSnapshot: snapshot,
            conflictingObjects: group.changed.map(\.objectID), conflictingValues: values)
    }

    // MARK: - Settling

    /// Resolves groups; a group that shares objects with an earlier one is left for the next call.
    ///
    /// - Throws: `ConstraintConflictError` for groups that the policy does not resolve; any error of the program's own
    ///   policy.
    mutating func settle(_ groups: [EqualObjects]) throws {
        var conflicts: [ConstraintConflict] = []
        var answers: [ConstraintConflict: MergeResolution] = [:]
        if context.mergePolicy == .error || context.resolvesConstraintConflicts != nil {
            conflicts = try groups.map { try conflict($0) }
            answers = try context.resolvesConstraintConflicts?(conflicts) ?? [:]
        }
        let standard = MergeResolution.policy(context.mergePolicy)
        let refused = conflicts.filter { answers[$0] ?? standard == .policy(.error) }
        guard refused.isEmpty else { throw ConstraintConflictError(conflictList: refused) }
        var touched: Set<ObjectIdentifier> = []
        for (index, group) in groups.enumerated() {
            let objects = [group.holder].compactMap { $0 } + group.changed
            guard objects.allSatisfy({ !touched.contains(ObjectIdentifier($0)) }) else { continue }
            touched.formUnion(objects.map(ObjectIdentifier.init))
            switch conflicts.isEmpty ? standard : answers[conflicts[index]] ?? standard {
            case .policy(let policy):
                self.policy = policy
                if isTrump { try keepLast(group) } else { try keepFirst(group) }
            case .values(let values):
                policy = .mergeByPropertyObjectTrump
                if let survivor = try keepLast(group) {
                    try survivor.take(values)
                    context.noteChange(survivor)
                }
            }
        }
    }

    /// Keeps the values in the store; new objects with equal values are discarded.
    private func keepFirst(_ group: EqualObjects) throws {
        let saved = group.changed.first { !$0.isInserted }
        guard let survivor = group.holder ?? saved ?? group.changed.first else { return }
        for object in group.changed where object !== survivor {
            if object.isInserted {
                try absorb(object, into: survivor, takingValues: false)
            } else {
                try revert(object, group.constraint)
            }
        }
    }

    /// Keeps the values of the last object, in the stored object of its entity if there is one.
    @discardableResult
    private func keepLast(_ group: EqualObjects) throws -> ManagedObject? {
        guard let last = group.changed.last else { return nil }
        func isAlike(_ object: ManagedObject) -> Bool { object.shape === last.shape }
        let saved = group.changed.last { !$0.isInserted && isAlike($0) }
        let holder = group.holder.flatMap { isAlike($0) ? $0 : nil }
        guard let survivor = saved ?? holder ?? group.changed.first(where: isAlike) else { return nil }
        if let holder = group.holder, holder !== survivor {
            try absorb(holder, into: survivor, takingValues: false)
        }
        var isLater = survivor === group.holder
        for object in group.changed {
            if object === survivor {
                isLater = true
            } else {
                try absorb(object, into: survivor, takingValues: isLater && isAlike(object))
            }
        }
        return survivor
    }

    /// Redirects links from an object to another one, which replaces it; deletes the first one.
    private func absorb(_ object: ManagedObject, into survivor: ManagedObject, takingValues: Bool) throws {
        try context.realize(object)
        try context.realize(survivor)
        if takingValues {
            for (slot, attribute) in object.shape.attributes.enumerated()
            where attribute.position != nil && !attribute.attribute.isDerived {
                context.setAttribute(survivor, slot, to: try object.currentValue(slot))
            }
            for (slot, toOne) in object.shape.toOnes.enumerated() where !toOne.isOwner && toOne.position != nil {
                let key = try object.toOneKey(slot)
                try context.setToOne(
                    survivor, slot, to: key.map { $0 == object.key ? survivor : context.object($0) })
            }
        }
        try moveLists(of: object, to: survivor)
        try moveReferences(to: object, survivor)
        if !object.isDeleted { try context.delete(object) }
    }

    /// Moves the objects in to-many relationships to the survivor; under rollback, only those that must have a
    /// destination.
    private func moveLists(of object: ManagedObject, to survivor: ManagedObject) throws {
        for (slot, toMany) in object.shape.toManys.enumerated() where toMany.relationship.isStored {
            guard case .toMany(let own) = survivor.shape.slot(named: toMany.relationship.name) else { continue }
            for key in try context.links(of: object, slot) {
                let destination = key == object.key ? survivor : context.object(key)
                if case .toOne(let other) = destination.shape.slot(of: toMany.inverse),
                    !destination.shape.toOnes[other].isOwner
                {
                    try context.realize(destination)
                    try context.setToOne(destination, other, to: survivor)
                } else if policy != .rollback {
                    try context.part(object, slot, from: context.object(key))
                    guard try !context.links(of: survivor, own).contains(destination.key) else { continue }
                    try context.link(survivor, own, with: destination)
                }
            }
        }
    }

    /// Redirects relationships without an inverse, as far as the save writes them.
    private func moveReferences(to object: ManagedObject, _ survivor: ManagedObject) throws {
        for other in context.inserted.objects + context.updated.objects where other !== object {
            for (slot, key) in other.state?.toOnes.entries ?? [] where key == object.key {
                guard case .none = other.shape.toOnes[slot].inverse else { continue }
                context.rawSet(other, slot, survivor.key)
            }
        }
        for (slot, toOne) in object.shape.toOnes.enumerated() where toOne.isOwner {
            guard let key = try object.toOneKey(slot),
                let own = survivor.shape.slot(ofOwner: toOne.relationship.key), try survivor.toOneKey(own) == nil
            else { continue }
            try context.setToOne(object, slot, to: nil)
            try context.setToOne(survivor, own, to: context.object(key))
        }
    }

    /// Restores the stored values of a saved object: those that it may not change, or all of them.
    private func revert(_ object: ManagedObject, _ constraint: UniquenessConstraint) throws {
        if policy == .rollback {
            try context.dropChanges(of: object)
            return
        }
        for slot in constraint.slots {
            switch slot {
            case .attribute(let slot): context.setAttribute(object, slot, to: try object.storedValue(slot))
            case .toOne(let slot):
                try context.setToOne(object, slot, to: object.storedToOne(slot).map { context.object($0) })
            case .toMany, .fetched: break
            }
        }
    }
}

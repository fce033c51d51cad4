import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Checks of what records require, when all records are read and no pending link is written yet.
extension Settlement {
    /// Rejects the records that name a required object which does not exist, and those that depend on them.
    ///
    /// Objects that lists name are created first, because other records may name them, too.
    func settleNeeds() throws {
        let hasNeeds = try unproven != nil && linkStage.pending.has(.needed)
        guard hasNeeds || listsMakeWhatOthersName else { return }
        try linkStage.pending.forEachBatch(of: options.fixedLimits.waitingLinks, .creating) { links in
            try forEachRelationship(links) { links in
                var refusals: [(record: Int64, rejection: RejectionReason)] = []
                try makeDestinations(links) { refusals.append(($0, $1)) }
                try takeBack(refusals)
            }
            batchState.namers.removeAll(keepingCapacity: true)
        }
        guard hasNeeds else { return }
        try linkStage.pending.forEachBatch(of: options.fixedLimits.waitingLinks, .needed) { links in
            try forEachRelationship(links) { links in
                var refusals: [(record: Int64, rejection: RejectionReason)] = []
                try check(links) { refusals.append(($0, $1)) }
                try takeBack(refusals)
            }
        }
    }

    /// Whether lists name objects that are created when all records are read, and that other relationships look up.
    private var listsMakeWhatOthersName: Bool {
        let targets = session.namedTargets
        return targets.contains { made in
            made.isMade && made.isOfList
                && targets.contains { !$0.isMade && layout.model.areRelated($0.slot, made.slot) }
        }
    }

    /// Creates the missing destinations of links, because other records may require them.
    ///
    /// - Parameter refuse: called with each record of a link whose destination would have a unique value of another
    ///   object, and the reason.
    func makeDestinations(
        _ links: ArraySlice<PendingLink>, refuse: (_ record: Int64, _ rejection: RejectionReason) throws -> Void
    ) throws {
        guard let first = links.first, case .key(let target) = relationship(of: first).compiled.target else { return }
        let resolver = resolvers[target.resolver]
        for (link, key) in try keyed(links, resolver) where link.createsInAnyCase {
            guard let key, let found = try destination(key, target, link, refuse) else { continue }
            try log.keepAffected()
            // The object stays as long as a record that is not revoked names it.
            guard let openRecords = unproven?.records else { continue }
            let root = layout.model.entities[target.slot].root
            if try openRecords.makingRole(of: found.primaryKey, root: root) == .created {
                try openRecords.append(
                    AffectedObject(root: root, primaryKey: found.primaryKey, entity: found.entity, role: .created),
                    of: link.record)
            }
        }
    }

    /// Returns the destination of a link, which is created if it does not exist; nil if it cannot be created.
    func destination(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, _ link: PendingLink,
        _ refuse: (_ record: Int64, _ rejection: RejectionReason) throws -> Void
    ) throws -> KeyIndex.Target? {
        let resolver = resolvers[target.resolver]
        if let found = resolver.target(of: key.bytes) { return found }
        do {
            return try session.batchWriter.create(
                key, target, resolver, for: link.record, reusing: link.formerDestination)
        } catch let refusal as RejectionReason {
            try refuse(link.record, refusal.of(object(of: link), relationship(of: link).compiled.name))
            return nil
        }
    }

    /// Checks whether the destinations of links that records require exist.
    ///
    /// - Parameter refuse: called with each record whose required destination does not exist, and the reason.
    @_optimize(size)
    func check(
        _ links: ArraySlice<PendingLink>, refuse: (_ record: Int64, _ rejection: RejectionReason) throws -> Void
    ) throws {
        guard let first = links.first else { return }
        let relationship = relationship(of: first).compiled
        guard case .key(let target) = relationship.target else { return }
        let resolver = resolvers[target.resolver]
        for case (let link, let key?) in try keyed(links, resolver) {
            if let found = resolver.target(of: key.bytes) {
                var checked = link
                checked.role.insert(.checked)
                try noteNamed(checked, leadingTo: found, target, isCounted: false)
            } else if let refusal = refusal(key, target, object(of: link), relationship) {
                try refuse(link.record, refusal)
            }
        }
    }

    /// Makes the links apply again that a revoked record had replaced, if the pending links are already written.
    ///
    /// - Parameters:
    ///   - record: the revoked record.
    ///   - others: relationships for which links of other records apply now.
    func followReplacedLinks(of record: Int64, besides others: [(number: Int64, owner: Int64)]) throws {
        guard linkStage.areWritten else { return }
        var places: [(number: Int64, owner: Int64)] = try linkStage.pending.places(of: record)
        for place in others where !places.contains(where: { $0 == place }) { places.append(place) }
        for relationship in entities.flatMap(\.relationships) {
            guard let replacement = relationship.replacement else { continue }
            for owner in try replacement.owners(of: record)
            where !places.contains(where: { $0 == (relationship.number, owner) }) {
                places.append((relationship.number, owner))
            }
            try replacement.remove(record)
        }
        for (number, owner) in places {
            // Links of records that are still skipped do not apply.
            let left = try linkStage.pending.links(number, of: owner, without: taken?.table)
                .filter { !$0.role.contains(.ifMade) }
            guard let last = left.last?.record else { continue }
            for link in left
            where link.record == last || link.role.contains(.filling) || relationship(of: link).compiled.adds {
                if try taken?.contains(link.record) != true { try unproven?.named.lose(link) }
            }
        }
    }
}

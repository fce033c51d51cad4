import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Links that wait until all records are read.
extension BatchWriter {
    /// Makes the to-one relationships wait whose destinations do not exist yet.
    func postpone(
        _ target: CompiledKeyTarget, _ position: Int, of entity: EntityImport, _ batch: inout RecordBatch
    ) throws {
        let relationship = entity.relationships[position]
        for instance in 0..<entity.instances.count {
            let place = instance * entity.object.toOnes.count + position
            let isWaiting = entity.instances.toOneKeys[place] == ObjectInstances.waitingKey
            let owner = entity.instances.primaryKeys[instance]
            guard isWaiting || entity.instances.toOnePresent[place], owner != 0,
                !batchState.isRejected[Int(entity.instances.records[instance])], try mayCount(entity, instance, batch)
            else { continue }
            guard isWaiting else {
                // The last record applies, not an earlier one that waits for its destination.
                if entity.object.onMatch == .update, entity.instances.states[instance] != .inserted,
                    try linkStage.pending.contains(relationship.number, of: owner)
                {
                    var link = pendingToOne(position, entity, instance, batch, key: nil)
                    link.role = [.toOne, .settled]
                    try linkStage.pending.append(link)
                }
                continue
            }
            if entity.instances.toOneEntities[place] == ObjectInstances.endingEntity {
                if isEnding(relationship, entity, instance) {
                    var link = pendingToOne(position, entity, instance, batch, key: nil)
                    link.role.insert(.ending)
                    try linkStage.pending.append(link)
                }
                continue
            }
            let record = Int(entity.instances.records[instance])
            let (found, _) = try batch.key(
                target.parts, of: record, node: Int(entity.instances.nodes[instance]))
            guard let found else { continue }
            if !relationship.waits || entity.instances.toOneEntities[place] == 0 || unproven != nil {
                batchState.waitingRecords.insert(record)
            }
            var link = pendingToOne(position, entity, instance, batch, key: found)
            if entity.instances.toOneEntities[place] > 0, !relationship.waits,
                countKind(entity, instance) == .unchanged
            {
                link.role.insert(.behind)
            }
            try linkStage.pending.append(link)
        }
    }

    /// Makes links between the objects of one record wait as well, if the links that other mappings set for the
    /// relationship wait: they are written again in the order of the records. Links of records that are skipped, unless
    /// they create their object in the end, also wait.
    func postponeShared(
        _ slot: Int, of entity: EntityImport, with other: EntityImport, _ batch: RecordBatch
    ) throws {
        let isShared = entity.relationships[slot].isShared || entity.relationships[slot].waitsInPlace
        guard isShared || unproven != nil else { return }
        let isToMany = slot >= entity.object.toOnes.count
        for (instance, targets) in session.related(entity, other).enumerated() {
            // Other links are already written, except those that apply only if their record creates the object in the
            // end.
            guard isShared || !mayLink(entity, instance), try mayCount(entity, instance, batch) else { continue }
            var linked = targets.filter { other.instances.primaryKeys[$0] != 0 }
            if !isToMany {
                let place = instance * entity.object.toOnes.count + slot
                linked = Array(linked.prefix(1))
                guard
                    entity.instances.toOnePresent[place] || !linked.isEmpty
                        || entity.instances.toOneKeys[place] == ObjectInstances.waitingKey
                else { continue }
            }
            for (ordinal, target) in linked.enumerated() {
                let key = ReferenceKey([
                    .integer(other.instances.primaryKeys[target]), .integer(other.instances.entities[target]),
                ])
                try linkStage.pending.append(
                    pendingLink(
                        slot, entity, instance, batch, key: key, place: .null,
                        ordinal: Int64(isToMany ? ordinal : instance)))
            }
            if linked.isEmpty, !isToMany, entity.object.onMatch != .fill {
                var link = pendingToOne(slot, entity, instance, batch, key: nil)
                link.role.insert(.ending)
                try linkStage.pending.append(link)
            }
        }
    }

    /// Returns whether a null may end a link. For a new object, this is only possible if the inverse is mapped, too.
    private func isEnding(_ relationship: RelationshipImport, _ entity: EntityImport, _ instance: Int) -> Bool {
        guard entity.object.onMatch != .fill, let inverse = relationship.compiled.relationship.inverse else {
            return false
        }
        return entity.instances.states[instance] != .inserted || links.number(of: inverse.key) != nil
    }

    func postponeLists(_ position: Int, of entity: EntityImport, _ batch: inout RecordBatch) throws {
        let object = entity.object
        let relationship = object.toManys[position]
        let slot = object.toOnes.count + position
        for instance in 0..<entity.instances.count {
            let record = Int(entity.instances.records[instance])
            guard entity.instances.lists[position].isPresent(instance), entity.instances.primaryKeys[instance] != 0,
                !batchState.isRejected[record], try mayCount(entity, instance, batch)
            else { continue }
            if object.onMatch != .fill, mayLink(entity, instance) { try noteOwner(slot, of: entity, instance, batch) }
            let places = entity.instances.lists[position].keys(of: instance)
            if !places.isEmpty { batchState.waitingRecords.insert(record) }
            // Only links that are added have positions among those of other records.
            let place =
                object.ordersLinks(of: relationship)
                ? relationship.place(of: record, Int(entity.instances.nodes[instance]), &batch) : .null
            for (ordinal, keyPlace) in places.enumerated() {
                guard let key = entity.instances.lists[position].key(at: keyPlace, in: batch.arena) else { continue }
                try linkStage.pending.append(
                    pendingLink(
                        slot, entity, instance, batch, key: key, place: place, ordinal: Int64(ordinal)))
            }
        }
    }

    /// Returns whether the links of a record may apply in the end. Those of a skipped record may, too, if the record
    /// that created the object may be revoked; the mapping may then require that their destinations exist.
    private func mayCount(_ entity: EntityImport, _ instance: Int, _ batch: RecordBatch) throws -> Bool {
        if mayLink(entity, instance) { return true }
        guard let unproven, entity.instances.primaryKeys[instance] != 0,
            entity.instances.states[instance] != .rejected
        else { return false }
        // Whether the object stays is known when the whole batch is written.
        if entity.object.onMatch == .error { return true }
        if log.open.contains(session.recordNumber(batch, Int(entity.instances.records[instance]))) { return true }
        let leader = Int(entity.instances.leaders[instance])
        if leader >= 0, log.open.contains(session.recordNumber(batch, Int(entity.instances.records[leader]))) {
            return true
        }
        return try unproven.records.makingRole(
            of: entity.instances.primaryKeys[instance], root: entity.object.table.root) != nil
    }

    /// Returns the link of a to-one relationship. Of the objects of a mapping in one record that are the same, the last
    /// one applies.
    func pendingToOne(
        _ slot: Int, _ entity: EntityImport, _ instance: Int, _ batch: RecordBatch, key: ReferenceKey?
    ) -> PendingLink {
        pendingLink(slot, entity, instance, batch, key: key, place: .null, ordinal: Int64(instance))
    }

    func pendingLink(
        _ slot: Int, _ entity: EntityImport, _ instance: Int, _ batch: RecordBatch, key: ReferenceKey?,
        place: SQLiteValue, ordinal: Int64
    ) -> PendingLink {
        var role = entity.relationships[slot].role
        if entity.object.onMatch == .fill { role.insert(.filling) }
        if !mayLink(entity, instance) { role.insert(.ifMade) }
        let record = Int(entity.instances.records[instance])
        return PendingLink(
            source: entity.source.index, object: entity.index, relationship: slot,
            owner: entity.instances.primaryKeys[instance],
            ownerEntity: entity.instances.entities[instance], record: session.recordNumber(batch, record),
            line: batch[record].line, isReplacing: entity.instances.states[instance] != .inserted, place: place,
            ordinal: ordinal, number: entity.relationships[slot].number, role: role, key: key?.values ?? [])
    }
}

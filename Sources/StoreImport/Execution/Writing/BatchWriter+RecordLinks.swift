import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteAccess

/// Links between the objects of one record.
extension BatchWriter {
    /// Writes the links between the objects of each record.
    func linkInstances(
        of entity: EntityImport, _ slot: Int, with other: EntityImport, _ batch: RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        guard let writer = entity.relationships[slot].writer else { return }
        let object = entity.object
        let isToMany = slot >= object.toOnes.count
        // What is empty is known when all records are read.
        let fillsInTurn = entity.relationships[slot].isShared && object.onMatch == .fill
        var related: Int64 = 0
        for (instance, targets) in session.related(entity, other).enumerated() {
            guard mayLink(entity, instance), try fillsInTurn || !isFilled(slot, of: entity, instance) else {
                continue
            }
            let record = Int(entity.instances.records[instance])
            let linked = targets.filter { other.instances.primaryKeys[$0] != 0 }
            if isToMany, !fillsInTurn, !linked.isEmpty || namesNone(other, entity, instance, batch) {
                let keys = Set(linked.map { other.instances.primaryKeys[$0] })
                if let refusal = try refusal(entity, slot, endingAllBut: keys, of: instance) {
                    try session.reject(record, of: batch, name, &report, refusal)
                    continue
                }
                try noteOwner(slot, of: entity, instance, batch)
            }
            let number = session.recordNumber(batch, record)
            if unproven != nil, entity.relationships[slot].isLimited, !linked.isEmpty { log.open.insert(number) }
            if fillsInTurn || !isToMany && entity.relationships[slot].waitsInPlace { continue }
            for (ordinal, target) in (isToMany ? linked : Array(linked.prefix(1))).enumerated() {
                let (owner, destination) = (entity.target(of: instance), other.target(of: target))
                try entity.relationships[slot].replacement?.note(
                    owner: owner.primaryKey, destination: destination.primaryKey, record: number, place: .null,
                    ordinal: Int64(ordinal))
                // The link is written in the order of the records, together with those of other mappings.
                if isToMany, entity.relationships[slot].isShared { continue }
                let before = isToMany ? 0 : try writer.destination(of: owner.primaryKey) ?? 0
                if isToMany {
                    try session.settlement.keepOwner(of: destination.primaryKey, entity.relationships[slot])
                }
                batchState.late?.begin(record)
                var isNew = false
                let refusal = try Self.constraintMessage {
                    isNew = try log.loggingLink(number, writer, owner, destination)
                }
                if let refusal {
                    let refused = isToMany ? other.object : object
                    try session.reject(record, of: batch, name, &report, refused.reason(.notUnique(refusal)))
                    break
                }
                guard isNew else { continue }
                if isToMany {
                    related += 1
                    log.noteCount(.related, object.slot, of: number)
                } else {
                    let link = entity.relationships[slot].number
                    try linkCounts.countToOne(
                        ToOneOwner(link: link, key: owner.primaryKey, slot: object.slot), from: before,
                        to: destination.primaryKey)
                }
                if entity.relationships[slot].isRuled {
                    log.noteAffected(object.slot, owner.primaryKey, entity: owner.entity, of: number)
                    log.noteAffected(
                        other.object.slot, destination.primaryKey, entity: destination.entity, of: number)
                }
                if !isToMany, let inverse = entity.relationships[slot].inverse {
                    try log.loggingInverse(
                        number, inverse,
                        ToOneOwner(
                            link: entity.relationships[slot].number, key: owner.primaryKey, slot: object.slot),
                        owner: owner, destination: destination.primaryKey)
                }
            }
        }
        linkCounts.count(.related, related, in: object.slot)
    }

    /// Returns the reason for rejecting a record if its list would end links of earlier records to objects that require
    /// their owner; otherwise nil.
    ///
    /// Objects from before the import may get another owner later.
    private func refusal(
        _ entity: EntityImport, _ slot: Int, endingAllBut named: Set<Int64>, of instance: Int
    ) throws -> RejectionReason? {
        let relationship = entity.relationships[slot]
        guard batchState.late != nil, !relationship.isShared, !relationship.compiled.adds,
            let replacement = relationship.replacement, replacement.place.kind == .foreignKey,
            let inverse = relationship.compiled.relationship.inverse,
            PendingChecks.isInverseRuled(relationship.compiled.relationship, layout),
            session.mirror?.partPlace(entity, slot) == nil
        else { return nil }
        let isEnding = try replacement.hasNamed(entity.instances.primaryKeys[instance], besides: named)
        guard isEnding else { return nil }
        return RejectionReason(
            .rule(.missingRelationship), entity: layout.model.entities[inverse.owner].name, property: inverse.name)
    }

    /// Returns whether a record contains the list whose items would be an object's destinations, and the list is empty.
    func namesNone(
        _ other: EntityImport, _ entity: EntityImport, _ instance: Int, _ batch: RecordBatch
    ) -> Bool {
        guard let path = other.object.records else { return true }
        guard let start = session.partStart(other, entity, instance, batch) else { return false }
        return path.leadsToEmptyList(batch.nodes, from: start)
    }
}

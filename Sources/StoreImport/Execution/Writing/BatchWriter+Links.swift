import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// The links of a batch's objects, written after the objects.
extension BatchWriter {
    /// Writes the links of a batch's objects, or makes them wait.
    func link(
        _ entity: EntityImport, _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let object = entity.object
        let late = entity.source.compiled.lateToOnes[entity.index]
        try followInverses(entity, batch)
        noteDestinations(entity, batch)
        for (position, relationship) in object.toOnes.enumerated() {
            switch relationship.target {
            case .key(let target): try postpone(target, position, of: entity, &batch)
            case .object(let other):
                if late.contains(position) {
                    try linkInstances(of: entity, position, with: entity.sibling(other), batch, name, &report)
                }
                try postponeShared(position, of: entity, with: entity.sibling(other), batch)
            }
        }
        for (position, relationship) in object.toManys.enumerated() {
            switch relationship.target {
            case .object(let other):
                let slot = object.toOnes.count + position
                batchState.late?.beginPhase()
                try linkInstances(of: entity, slot, with: entity.sibling(other), batch, name, &report)
                try postponeShared(slot, of: entity, with: entity.sibling(other), batch)
            case .key:
                try postponeLists(position, of: entity, &batch)
            }
        }
    }

    /// Returns whether the record of an instance determines the links of the object.
    func mayLink(_ entity: EntityImport, _ instance: Int) -> Bool {
        guard entity.instances.primaryKeys[instance] != 0,
            !batchState.isRejected[Int(entity.instances.records[instance])]
        else { return false }
        switch entity.instances.states[instance] {
        case .inserted, .updated, .unchanged: return true
        case .follower: return entity.object.onMatch == .update || entity.object.onMatch == .fill
        case .open, .skipped, .rejected: return false
        }
    }

    /// Updates the other sides of the to-one relationships that were written with the batch's objects.
    private func followInverses(_ entity: EntityImport, _ batch: RecordBatch) throws {
        let object = entity.object
        for position in object.toOnes.indices {
            guard let writer = entity.relationships[position].inverse else { continue }
            let isWritten = try (0..<entity.instances.count).map { try follows($0, position, entity) }
            let changed =
                writer.isOneToOne
                ? objects(at: writer, of: isWritten.indices.filter { isWritten[$0] }, position, entity) : []
            for instance in isWritten.indices {
                let owner = entity.instances.primaryKeys[instance]
                let destination = entity.instances.toOneKeys[instance * object.toOnes.count + position]
                // The store already had the link that the record names, but another record of the batch has changed it,
                // or the link may come from a record that is revoked later.
                let isAgain =
                    !isWritten[instance] && destination >= 0 && names(instance, position, entity)
                    && (writer.isOneToOne
                        ? changed.contains(destination) || writer.isSymmetric && changed.contains(owner)
                        : unproven != nil)
                guard isWritten[instance] || isAgain else { continue }
                let number = session.recordNumber(batch, Int(entity.instances.records[instance]))
                try log.loggingInverse(
                    number, writer,
                    ToOneOwner(link: entity.relationships[position].number, key: owner, slot: object.slot),
                    owner: entity.target(of: instance), destination: destination)
            }
        }
    }

    /// Returns the objects that instances lead to, and their own objects if the relationship is its own inverse.
    private func objects(
        at writer: InverseWriter, of instances: [Int], _ position: Int, _ entity: EntityImport
    ) -> Set<Int64> {
        var found = Set(
            instances.map { entity.instances.toOneKeys[$0 * entity.object.toOnes.count + position] }.filter { $0 != 0 })
        if writer.isSymmetric { found.formUnion(instances.map { entity.instances.primaryKeys[$0] }) }
        return found
    }

    /// Returns whether the row of an existing object has the destination that its record names.
    private func names(_ instance: Int, _ position: Int, _ entity: EntityImport) -> Bool {
        entity.instances.states[instance] == .unchanged && entity.object.onMatch == .update
            && entity.instances.toOnePresent[instance * entity.object.toOnes.count + position]
            && !batchState.isRejected[Int(entity.instances.records[instance])]
    }

    /// Returns whether a to-one relationship was written with the object of an instance.
    private func follows(_ instance: Int, _ position: Int, _ entity: EntityImport) throws -> Bool {
        let object = entity.object
        let place = instance * object.toOnes.count + position
        let owner = entity.instances.primaryKeys[instance]
        let destination = entity.instances.toOneKeys[place]
        guard owner != 0, destination >= 0, entity.instances.toOnePresent[place] else { return false }
        let wasWritten =
            switch entity.instances.states[instance] {
            case .inserted: destination != 0
            case .updated: true
            case .follower: object.onMatch == .update || object.onMatch == .fill
            default: false
            }
        guard wasWritten, object.onMatch == .fill, entity.instances.states[instance] != .inserted else {
            return wasWritten
        }
        // Only empty relationships are filled.
        let link = entity.relationships[position].writer
        return try destination != 0 && link?.destination(of: owner) == destination
    }

    /// Notes the destinations of to-one relationships, if the model limits how many objects may lead to one.
    private func noteDestinations(_ entity: EntityImport, _ batch: RecordBatch) {
        guard unproven != nil else { return }
        let object = entity.object
        for (position, relationship) in object.toOnes.enumerated()
        where PendingChecks.isInverseRuled(relationship.relationship, layout) {
            let isLimited = entity.relationships[position].isLimited
            for instance in 0..<entity.instances.count where mayLink(entity, instance) {
                let place = instance * object.toOnes.count + position
                if isLimited, entity.instances.toOnePresent[place] || entity.instances.toOneKeys[place] < 0 {
                    log.open.insert(session.recordNumber(batch, Int(entity.instances.records[instance])))
                }
                guard entity.instances.toOneKeys[place] > 0 else { continue }
                log.noteAffected(
                    relationship.relationship.destination, entity.instances.toOneKeys[place],
                    entity: entity.instances.toOneEntities[place],
                    of: session.recordNumber(batch, Int(entity.instances.records[instance])))
            }
        }
    }

    /// Returns whether the mapping only fills empty relationships, and this relationship of the object is not empty.
    func isFilled(_ slot: Int, of entity: EntityImport, _ instance: Int) throws -> Bool {
        guard entity.object.onMatch == .fill, entity.instances.states[instance] != .inserted,
            let writer = entity.relationships[slot].writer
        else { return false }
        return try writer.hasLinks(entity.instances.primaryKeys[instance])
    }

    /// Notes that a record contains a list of an object, if the list may replace links or is needed for new objects,
    /// too.
    func noteOwner(_ slot: Int, of entity: EntityImport, _ instance: Int, _ batch: RecordBatch) throws {
        guard let replacement = entity.relationships[slot].replacement else { return }
        guard entity.instances.states[instance] != .inserted || replacement.notesNewObjects else { return }
        let number = session.recordNumber(batch, Int(entity.instances.records[instance]))
        // If records are imported again because of a link, other records may have named the object's other links. And
        // the list of a new object does not end links that other records have named.
        try replacement.note(
            owner: entity.instances.primaryKeys[instance], record: number,
            adds: entity.relationships[slot].compiled.adds
                || session.reading.isOfUnlinkedRecords && replacement.isSymmetric
                || entity.instances.states[instance] == .inserted && replacement.isTwoSided)
        // If links end when all records are read, the object may have too few.
        if unproven != nil, entity.relationships[slot].isRuled,
            try entity.relationships[slot].isLimited || entity.relationships[slot].isShared
                || entity.relationships[slot].writer?.hasLinks(entity.instances.primaryKeys[instance]) ?? false
        {
            log.open.insert(number)
        }
    }
}

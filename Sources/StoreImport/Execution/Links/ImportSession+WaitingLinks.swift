import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links that wait until all records are read.
extension ImportSession {
    /// Lets the to-ones wait whose destination is not there yet.
    func postpone(
        _ target: CompiledKeyTarget, _ position: Int, of entity: EntityImport, _ batch: inout RecordBatch
    ) throws {
        let object = entity.object
        for instance in 0..<entity.instances.count {
            let place = instance * object.toOnes.count + position
            let isWaiting = entity.instances.toOneKeys[place] == Self.waitingKey
            guard isWaiting || entity.instances.toOnePresent[place], mayLink(entity, instance) else { continue }
            // The last record counts, not what an earlier one waits for.
            if object.onMatch == .update, entity.instances.states[instance] != .inserted {
                if let number = toOneNumbers[object.toOnes[position].relationship.key] {
                    try pending.remove(toOne: number, owner: entity.instances.primaryKeys[instance])
                }
            }
            guard isWaiting,
                try !isFilled(position, of: entity, instance)
            else { continue }
            let record = Int(entity.instances.records[instance])
            let (found, _) = try key(target.parts, record, Int(entity.instances.nodes[instance]), &batch)
            guard let found else { continue }
            waitingRecords.insert(record)
            try pending.append(
                pendingLink(position, entity, instance, batch, key: found, place: .null, ordinal: 0))
        }
    }

    func postponeLists(_ position: Int, of entity: EntityImport, _ batch: inout RecordBatch) throws {
        let object = entity.object
        let relationship = object.toManys[position]
        let slot = object.toOnes.count + position
        for instance in 0..<entity.instances.count {
            guard entity.instances.lists[position].isPresent(instance), mayLink(entity, instance),
                try !isFilled(slot, of: entity, instance)
            else { continue }
            let record = Int(entity.instances.records[instance])
            try noteOwner(slot, of: entity, instance, batch)
            let places = entity.instances.lists[position].keys(of: instance)
            if !places.isEmpty { waitingRecords.insert(record) }
            let place = orderPlace(relationship, record, Int(entity.instances.nodes[instance]), &batch)
            for (ordinal, keyPlace) in places.enumerated() {
                guard let key = entity.instances.lists[position].key(at: keyPlace, in: batch.arena) else { continue }
                try pending.append(
                    pendingLink(
                        slot, entity, instance, batch, key: key, place: place, ordinal: Int64(ordinal)))
            }
        }
    }

    func pendingLink(
        _ slot: Int, _ entity: EntityImport, _ instance: Int, _ batch: RecordBatch, key: ReferenceKey,
        place: SQLiteValue, ordinal: Int64
    ) -> PendingLink {
        let object = entity.object
        let record = Int(entity.instances.records[instance])
        return PendingLink(
            source: entity.source.index, object: entity.index, relationship: slot,
            owner: entity.instances.primaryKeys[instance],
            ownerEntity: entity.instances.entities[instance], record: recordNumber(batch, record),
            line: batch[record].line, isReplacing: entity.instances.states[instance] != .inserted, place: place,
            ordinal: ordinal,
            toOne: slot < object.toOnes.count ? toOneNumbers[object.toOnes[slot].relationship.key] : nil,
            key: key.values)
    }

    /// What orders a link among those of several records: numbers as such, other texts as they are.
    private func orderPlace(
        _ relationship: CompiledRelationship, _ record: Int, _ node: Int, _ batch: inout RecordBatch
    ) -> SQLiteValue {
        guard let order = relationship.order else { return .null }
        let field = self.field(order, record, node, &batch)
        switch field.kind {
        case .null, .missing, .node: return .null
        case .integer: return .integer(batch.integer(of: field))
        case .real, .date: return .real(batch.real(of: field))
        case .text, .quoted, .number, .boolean, .blob:
            let bytes = Array(batch.bytes(of: field))
            if let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite { return .real(number) }
            return .text(bytes)
        }
    }
}

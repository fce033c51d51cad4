import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links that wait until all records are read.
extension BulkImporter {
    /// Lets the to-ones wait whose destination is not there yet.
    func postpone(
        _ target: CompiledKeyTarget, _ position: Int, _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch
    ) throws {
        let object = sources[sourceIndex].objects[index]
        for instance in 0..<instances[index].count {
            let place = instance * object.toOnes.count + position
            let isWaiting = instances[index].toOneKeys[place] == Self.waitingKey
            guard isWaiting || instances[index].toOnePresent[place], mayLink(index, instance, object) else { continue }
            // The last record counts, not what an earlier one waits for.
            if object.onMatch == .update, instances[index].states[instance] != .inserted {
                if let number = toOneNumbers[object.toOnes[position].relationship.key] {
                    try pending.remove(toOne: number, owner: instances[index].primaryKeys[instance])
                }
            }
            guard isWaiting,
                try !isFilled(position, index, instance, sourceIndex, object)
            else { continue }
            let record = Int(instances[index].records[instance])
            let (found, _) = try key(target.parts, record, Int(instances[index].nodes[instance]), &batch)
            guard let found else { continue }
            waitingRecords.insert(record)
            try pending.append(
                pendingLink(position, index, instance, sourceIndex, batch, key: found, place: .null, ordinal: 0))
        }
    }

    func postponeLists(_ position: Int, _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch) throws {
        let object = sources[sourceIndex].objects[index]
        let relationship = object.toManys[position]
        let slot = object.toOnes.count + position
        for instance in 0..<instances[index].count {
            guard instances[index].lists[position].isPresent(instance), mayLink(index, instance, object),
                try !isFilled(slot, index, instance, sourceIndex, object)
            else { continue }
            let record = Int(instances[index].records[instance])
            try noteOwner(slot, index, instance, sourceIndex, batch)
            let places = instances[index].lists[position].keys(of: instance)
            if !places.isEmpty { waitingRecords.insert(record) }
            let place = orderPlace(relationship, record, Int(instances[index].nodes[instance]), &batch)
            for (ordinal, keyPlace) in places.enumerated() {
                guard let key = instances[index].lists[position].key(at: keyPlace, in: batch.arena) else { continue }
                try pending.append(
                    pendingLink(
                        slot, index, instance, sourceIndex, batch, key: key, place: place, ordinal: Int64(ordinal)))
            }
        }
    }

    func pendingLink(
        _ slot: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch, key: ReferenceKey,
        place: SQLiteValue, ordinal: Int64
    ) -> PendingLink {
        let object = sources[sourceIndex].objects[index]
        let record = Int(instances[index].records[instance])
        return PendingLink(
            source: sourceIndex, object: index, relationship: slot, owner: instances[index].primaryKeys[instance],
            ownerEntity: instances[index].entities[instance], record: recordNumber(batch, record),
            line: batch[record].line, isReplacing: instances[index].states[instance] != .inserted, place: place,
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

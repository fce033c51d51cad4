import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The links of a batch's objects, when the objects are there.
extension BulkImporter {
    /// Writes the links of a batch's objects, or lets them wait.
    func link(_ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch) throws {
        let source = sources[sourceIndex]
        let object = source.objects[index]
        try followInverses(index, sourceIndex, object, batch)
        noteDestinations(index, sourceIndex, object, batch)
        for (position, relationship) in object.toOnes.enumerated() {
            switch relationship.target {
            case .key(let target): try postpone(target, position, index, sourceIndex, &batch)
            case .object(let other):
                if source.lateToOnes[index].contains(position) {
                    try linkInstances(index, other, position, sourceIndex, batch, isToMany: false)
                }
            }
        }
        for (position, relationship) in object.toManys.enumerated() {
            switch relationship.target {
            case .object(let other):
                try linkInstances(index, other, object.toOnes.count + position, sourceIndex, batch, isToMany: true)
            case .key:
                try postponeLists(position, index, sourceIndex, &batch)
            }
        }
    }

    /// Whether the record of an instance says what the object's links are.
    private func mayLink(_ index: Int, _ instance: Int, _ object: CompiledObject) -> Bool {
        guard instances[index].primaryKeys[instance] != 0, !isRejected[Int(instances[index].records[instance])] else {
            return false
        }
        switch instances[index].states[instance] {
        case .inserted, .updated, .unchanged: return true
        case .follower: return object.onMatch == .update || object.onMatch == .fill
        case .open, .skipped, .rejected: return false
        }
    }

    /// The object of an instance, with its own entity.
    private func target(_ index: Int, _ instance: Int) -> KeyIndex.Target {
        KeyIndex.Target(primaryKey: instances[index].primaryKeys[instance], entity: instances[index].entities[instance])
    }

    /// A number for a record that grows through all sources.
    static func recordNumber(_ sourceIndex: Int, _ batch: RecordBatch, _ record: Int) -> Int64 {
        Int64(sourceIndex) << 40 | Int64(batch.start.record + record + 1)
    }

    /// The bits of a record's number that count it in its source.
    static let recordMask: Int64 = 1 << 40 - 1

    /// Keeps the other sides of the to-ones right that were written with the batch's objects.
    private func followInverses(
        _ index: Int, _ sourceIndex: Int, _ object: CompiledObject, _ batch: RecordBatch
    ) throws {
        let toOneCount = object.toOnes.count
        for position in object.toOnes.indices {
            guard let writer = inverseWriters[sourceIndex][index][position] else { continue }
            for instance in 0..<instances[index].count {
                let place = instance * toOneCount + position
                let (owner, destination) = (instances[index].primaryKeys[instance], instances[index].toOneKeys[place])
                guard owner != 0, destination != Self.waitingKey, instances[index].toOnePresent[place] else { continue }
                let wasWritten = switch instances[index].states[instance] {
                case .inserted: destination != 0
                case .updated: true
                case .follower: object.onMatch == .update
                default: false
                }
                guard wasWritten else { continue }
                let number = Self.recordNumber(sourceIndex, batch, Int(instances[index].records[instance]))
                try loggingInverse(number, writer, owner: target(index, instance), destination: destination)
            }
        }
    }

    /// Notes the objects that to-ones lead to, where the model says how many may lead to one.
    private func noteDestinations(_ index: Int, _ sourceIndex: Int, _ object: CompiledObject, _ batch: RecordBatch) {
        guard openRecords != nil else { return }
        for (position, relationship) in object.toOnes.enumerated()
        where Obligations.isInverseRuled(relationship.relationship, layout) {
            for instance in 0..<instances[index].count where mayLink(index, instance, object) {
                let place = instance * object.toOnes.count + position
                guard instances[index].toOneKeys[place] > 0 else { continue }
                noteAffected(
                    relationship.relationship.destination, instances[index].toOneKeys[place],
                    entity: instances[index].toOneEntities[place],
                    of: Self.recordNumber(sourceIndex, batch, Int(instances[index].records[instance])))
            }
        }
    }

    /// Lets the to-ones wait whose destination is not there yet.
    private func postpone(
        _ target: CompiledKeyTarget, _ position: Int, _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch
    ) throws {
        let object = sources[sourceIndex].objects[index]
        for instance in 0..<instances[index].count
        where instances[index].toOneKeys[instance * object.toOnes.count + position] == Self.waitingKey {
            guard mayLink(index, instance, object), try !isFilled(position, index, instance, sourceIndex, object) else {
                continue
            }
            let record = Int(instances[index].records[instance])
            let (found, _) = try key(of: target, record, Int(instances[index].nodes[instance]), &batch)
            guard let found else { continue }
            try pending.append(
                pendingLink(position, index, instance, sourceIndex, batch, key: found, place: .null, ordinal: 0))
        }
    }

    private func postponeLists(_ position: Int, _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch) throws {
        let object = sources[sourceIndex].objects[index]
        let relationship = object.toManys[position]
        let slot = object.toOnes.count + position
        for instance in 0..<instances[index].count {
            let list = instances[index].lists[position][instance]
            guard list.isPresent, mayLink(index, instance, object),
                try !isFilled(slot, index, instance, sourceIndex, object)
            else { continue }
            let record = Int(instances[index].records[instance])
            try noteOwner(slot, index, instance, sourceIndex, batch)
            if openRecords != nil, !list.keys.isEmpty, case .key(let target) = relationship.target,
                isDemanding(target, relationship, index, slot, sourceIndex) {
                log.open.insert(Self.recordNumber(sourceIndex, batch, record))
            }
            let place = orderPlace(relationship, record, Int(instances[index].nodes[instance]), &batch)
            for (ordinal, key) in list.keys.enumerated() {
                try pending.append(
                    pendingLink(
                        slot, index, instance, sourceIndex, batch, key: key, place: place, ordinal: Int64(ordinal)))
            }
        }
    }

    private func pendingLink(
        _ slot: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch, key: ReferenceKey,
        place: SQLiteValue, ordinal: Int64
    ) -> PendingLink {
        let record = Int(instances[index].records[instance])
        return PendingLink(
            source: sourceIndex, object: index, relationship: slot, owner: instances[index].primaryKeys[instance],
            ownerEntity: instances[index].entities[instance], record: Self.recordNumber(sourceIndex, batch, record),
            line: batch[record].line, isReplacing: instances[index].states[instance] != .inserted, place: place,
            ordinal: ordinal, key: key.values)
    }

    /// Whether only what is empty is to be filled, and this relationship of an object is not.
    private func isFilled(
        _ slot: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ object: CompiledObject
    ) throws -> Bool {
        guard object.onMatch == .fill, instances[index].states[instance] != .inserted,
            let writer = linkWriters[sourceIndex][index][slot]
        else { return false }
        return try writer.hasLinks(instances[index].primaryKeys[instance])
    }

    /// Notes that a record says what the links of an object are that was there before.
    private func noteOwner(_ slot: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch) throws {
        guard let replacement = replacements[sourceIndex][index][slot] else { return }
        guard instances[index].states[instance] != .inserted || replacement.isSymmetric else { return }
        let number = Self.recordNumber(sourceIndex, batch, Int(instances[index].records[instance]))
        try replacement.note(owner: instances[index].primaryKeys[instance], record: number)
        // Links that end when all records are read may leave too few.
        if openRecords != nil, obligations.matters[sourceIndex][index][slot],
            try linkWriters[sourceIndex][index][slot]?.hasLinks(instances[index].primaryKeys[instance]) ?? false {
            log.open.insert(number)
        }
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

    /// Links the objects that one record makes.
    private func linkInstances(
        _ index: Int, _ other: Int, _ slot: Int, _ sourceIndex: Int, _ batch: RecordBatch, isToMany: Bool
    ) throws {
        guard let writer = linkWriters[sourceIndex][index][slot] else { return }
        let object = sources[sourceIndex].objects[index]
        var related: Int64 = 0
        for (instance, targets) in self.related(index, other, sourceIndex).enumerated() {
            guard mayLink(index, instance, object), try !isFilled(slot, index, instance, sourceIndex, object) else {
                continue
            }
            let record = Int(instances[index].records[instance])
            let linked = targets.filter { instances[other].primaryKeys[$0] != 0 }
            if isToMany, !linked.isEmpty || namesNone(other, index, instance, sourceIndex, batch) {
                try noteOwner(slot, index, instance, sourceIndex, batch)
            }
            let number = Self.recordNumber(sourceIndex, batch, record)
            for (ordinal, target) in (isToMany ? linked : Array(linked.prefix(1))).enumerated() {
                let (owner, destination) = (self.target(index, instance), self.target(other, target))
                try replacements[sourceIndex][index][slot]?.note(
                    owner: owner.primaryKey, destination: destination.primaryKey, record: number, place: .null,
                    ordinal: Int64(ordinal))
                guard try loggingLink(number, writer, owner, destination) else { continue }
                related += 1
                noteCount(.related, object.slot, of: number)
                if obligations.matters[sourceIndex][index][slot] {
                    noteAffected(object.slot, owner.primaryKey, entity: owner.entity, of: number)
                    noteAffected(
                        sources[sourceIndex].objects[other].slot, destination.primaryKey, entity: destination.entity,
                        of: number)
                }
                if !isToMany, let inverse = inverseWriters[sourceIndex][index][slot] {
                    try loggingInverse(number, inverse, owner: owner, destination: destination.primaryKey)
                }
            }
        }
        if related > 0 { entityReports[object.entityName, default: .init(entity: object.entityName)].related += related }
    }

    /// Whether a record has the list whose items would be an object's destinations, and it is empty.
    private func namesNone(_ other: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch) -> Bool {
        guard let path = sources[sourceIndex].objects[other].records else { return true }
        guard let start = partStart(other, index, instance, sourceIndex, batch) else { return false }
        return path.leadsToEmptyArray(batch.nodes, from: start)
    }
}

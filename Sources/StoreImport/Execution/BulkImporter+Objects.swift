import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Inserting and updating the objects of a batch.
extension BulkImporter {
    func write(
        _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = sources[sourceIndex].objects[index]
        try resolveToOnes(index, sourceIndex, &batch, name, &report)
        let ordered = keyOrder(index, object, batch)
        var counts = ImportReport.EntityReport(entity: object.entityName)
        try findExisting(ordered, index, sourceIndex, &batch, name, &report, &counts)
        let writer = writers[sourceIndex][index]
        /// By the first instance with a key whose record is rejected, the next one with that key, which takes its place.
        var successors: [Int: Int] = [:]
        for instance in 0..<instances[index].count {
            let record = Int(instances[index].records[instance])
            guard !isRejected[record] else {
                instances[index].states[instance] = .rejected
                continue
            }
            if instances[index].states[instance] == .follower {
                let first = Int(instances[index].leaders[instance])
                let leader = successors[first] ?? first
                if instances[index].states[leader] == .rejected, instances[index].primaryKeys[leader] == 0 {
                    successors[first] = instance
                    instances[index].states[instance] = .open
                } else {
                    instances[index].leaders[instance] = Int32(truncatingIfNeeded: leader)
                    try follow(instance, index, writer, sourceIndex, &batch, name, &report, &counts)
                    continue
                }
            }
            guard instances[index].states[instance] == .open else { continue }
            if let refusal = try insert(instance, index, sourceIndex, &batch, name, &counts) {
                try reject(record, of: batch, name, &report, refusal)
                instances[index].states[instance] = .rejected
            }
        }
        entityReports[object.entityName, default: .init(entity: object.entityName)].add(counts)
    }

    /// Inserts an object; why its record is rejected, where it cannot be.
    private func insert(
        _ instance: Int, _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ counts: inout ImportReport.EntityReport
    ) throws -> RecordRejection? {
        let object = sources[sourceIndex].objects[index]
        guard object.onMissing == .create else {
            guard object.onMissing == .skip else {
                return RecordRejection(
                    source: name, line: 0, byteOffset: 0, entity: object.entityName, code: 133000,
                    message: "no object has the record's key")
            }
            instances[index].states[instance] = .skipped
            counts.skipped += 1
            return nil
        }
        if let missing = object.unfilled.first ?? instances[index].unfilledName(instance, object) {
            return RecordRejection(
                source: name, line: 0, byteOffset: 0, entity: object.entityName, property: missing, code: 1570,
                message: "the attribute is required, and neither the mapping nor the model gives it a value")
        }
        for position in writers[sourceIndex][index].externals { try externalize(position, instance, &instances[index], &batch) }
        let primaryKey = keys.key(inTableOf: object.table.root)
        let refusal = try Self.constraintMessage {
            try writers[sourceIndex][index].insert(
                instances[index], instance, primaryKey: primaryKey, arena: batch.arena)
        }
        if let refusal { return Self.notUnique(name, object, refusal) }
        instances[index].primaryKeys[instance] = primaryKey
        instances[index].entities[instance] = Int64(object.entityNumber)
        instances[index].states[instance] = .inserted
        counts.inserted += 1
        learn(instance, index, object, batch, primaryKey)
        return nil
    }

    /// Runs a statement; what SQLite says where a constraint of the store refuses it, nil where it is done.
    static func constraintMessage(_ body: () throws -> Void) throws -> String? {
        do {
            try body()
            return nil
        } catch {
            if let error = error as? SQLiteError, error.isConstraint { return error.message }
            throw error
        }
    }

    static func notUnique(_ source: String, _ object: CompiledObject, _ reason: String) -> RecordRejection {
        RecordRejection(
            source: source, line: 0, byteOffset: 0, entity: object.entityName, code: 1551,
            message: "another object has the same value where the model demands unique ones (\(reason))")
    }

    /// Makes a large value of external binary data a file, and the value its name.
    func externalize(
        _ position: Int, _ instance: Int, _ instances: inout ObjectInstances, _ batch: inout RecordBatch
    ) throws {
        let place = instance * instances.attributeCount + position
        guard case .blob(let range) = instances.cells[place],
            let stored = try external.stored(batch.arena[range.range])
        else { return }
        instances.cells[place] = .blob(batch.appendRange(stored))
    }

    /// A record with the key of an earlier one of the batch changes the object that that one made or found.
    func follow(
        _ instance: Int, _ index: Int, _ writer: ObjectWriter, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport, _ counts: inout ImportReport.EntityReport
    ) throws {
        let leader = Int(instances[index].leaders[instance])
        let object = writer.object
        let primaryKey = instances[index].primaryKeys[leader]
        instances[index].primaryKeys[instance] = primaryKey
        instances[index].entities[instance] = instances[index].entities[leader]
        if primaryKey != 0, object.onMatch == .error {
            try reject(Int(instances[index].records[instance]), of: batch, name, &report, Self.isThere(name, object))
            instances[index].states[instance] = .rejected
            return
        }
        guard primaryKey != 0, object.onMatch != .skip else {
            counts.skipped += 1
            return
        }
        let changes = followerChanges(instance, leader, index, object, batch)
        guard !changes.isEmpty else {
            counts.unchanged += 1
            return
        }
        for position in writer.externals where changes.contains(position) {
            try externalize(position, instance, &instances[index], &batch)
        }
        let number = Self.recordNumber(sourceIndex, batch, Int(instances[index].records[instance]))
        let refusal = try Self.constraintMessage {
            try loggingUpdate(number, object, primaryKey, changes) {
                try writer.update(instances[index], instance, primaryKey: primaryKey, changes: changes, arena: batch.arena)
            }
        }
        if let refusal {
            try reject(Int(instances[index].records[instance]), of: batch, name, &report, Self.notUnique(name, object, refusal))
            instances[index].states[instance] = .rejected
            return
        }
        counts.updated += 1
        forget(changes, object)
        // The next follower compares with what is in the store now.
        for position in changes where position < object.attributes.count {
            instances[index].cells[leader * object.attributes.count + position] = instances[index].cell(instance, position)
        }
        for position in object.toOnes.indices where changes.contains(object.attributes.count + position) {
            let (new, old) = (instance * object.toOnes.count + position, leader * object.toOnes.count + position)
            instances[index].toOneKeys[old] = instances[index].toOneKeys[new]
            instances[index].toOneEntities[old] = instances[index].toOneEntities[new]
        }
        if instances[index].states[leader] == .rejected { instances[index].states[leader] = .unchanged }
    }

    /// What a record changes in the object of an earlier one of the batch.
    private func followerChanges(
        _ instance: Int, _ leader: Int, _ index: Int, _ object: CompiledObject, _ batch: RecordBatch
    ) -> Set<Int> {
        // What a rejected record would have written is not there: everything counts as changed.
        let isKnown = instances[index].states[leader] != .rejected
        var changes: Set<Int> = []
        for position in object.attributes.indices where instances[index].isPresent(instance, position) {
            let (new, old) = (instances[index].cell(instance, position), instances[index].cell(leader, position))
            if object.onMatch == .fill, !isKnown || old != .null { continue }
            if !isKnown || !Self.isEqual(new, old, batch.arena) { changes.insert(position) }
        }
        for position in object.toOnes.indices where object.toOnes[position].column != nil {
            let (new, old) = (instance * object.toOnes.count + position, leader * object.toOnes.count + position)
            guard instances[index].toOnePresent[new] else { continue }
            if object.onMatch == .fill, !isKnown || instances[index].toOneKeys[old] != 0 { continue }
            if !isKnown || instances[index].toOneKeys[new] != instances[index].toOneKeys[old] {
                changes.insert(object.attributes.count + position)
            }
        }
        return changes
    }

    static func isEqual(_ left: ConvertedValue, _ right: ConvertedValue, _ arena: [UInt8]) -> Bool {
        switch (left, right) {
        case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)):
            arena[one.range].elementsEqual(arena[other.range])
        default: left == right
        }
    }
}

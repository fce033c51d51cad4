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
    func mayLink(_ index: Int, _ instance: Int, _ object: CompiledObject) -> Bool {
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
    func target(_ index: Int, _ instance: Int) -> KeyIndex.Target {
        KeyIndex.Target(primaryKey: instances[index].primaryKeys[instance], entity: instances[index].entities[instance])
    }

    /// A number for a record that grows through all files.
    func recordNumber(_ batch: RecordBatch, _ record: Int) -> Int64 {
        Int64(file) << 40 | Int64(batch.start.record + record + 1)
    }

    /// The bits of a record's number that count it in its file.
    static let recordMask: Int64 = 1 << 40 - 1

    /// The index of the file that a record comes from, by the record's number.
    static func file(of record: Int64) -> Int { Int(record >> 40) }

    /// What messages call a file.
    func name(ofFile file: Int) -> String {
        file < report.sources.count ? report.sources[file].name : sources[files[file]].name
    }

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
                guard owner != 0, destination >= 0, instances[index].toOnePresent[place] else { continue }
                let wasWritten =
                    switch instances[index].states[instance] {
                    case .inserted: destination != 0
                    case .updated: true
                    case .follower: object.onMatch == .update || object.onMatch == .fill
                    default: false
                    }
                guard wasWritten else { continue }
                // Only what was empty is filled.
                if object.onMatch == .fill, instances[index].states[instance] != .inserted {
                    let link = linkWriters[sourceIndex][index][position]
                    guard destination != 0, try link?.destination(of: owner) == destination else { continue }
                }
                let number = recordNumber(batch, Int(instances[index].records[instance]))
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
                    of: recordNumber(batch, Int(instances[index].records[instance])))
            }
        }
    }

    /// Whether only what is empty is to be filled, and this relationship of an object is not.
    func isFilled(
        _ slot: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ object: CompiledObject
    ) throws -> Bool {
        guard object.onMatch == .fill, instances[index].states[instance] != .inserted,
            let writer = linkWriters[sourceIndex][index][slot]
        else { return false }
        return try writer.hasLinks(instances[index].primaryKeys[instance])
    }

    /// Notes that a record says what the links of an object are that was there before.
    func noteOwner(_ slot: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch) throws {
        guard let replacement = replacements[sourceIndex][index][slot] else { return }
        guard instances[index].states[instance] != .inserted || replacement.isSymmetric else { return }
        let number = recordNumber(batch, Int(instances[index].records[instance]))
        try replacement.note(owner: instances[index].primaryKeys[instance], record: number)
        // Links that end when all records are read may leave too few.
        if openRecords != nil, obligations.matters[sourceIndex][index][slot],
            try linkWriters[sourceIndex][index][slot]?.hasLinks(instances[index].primaryKeys[instance]) ?? false
        {
            log.open.insert(number)
        }
    }
}

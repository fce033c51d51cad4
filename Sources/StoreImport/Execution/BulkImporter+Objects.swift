import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Finding, inserting and updating the objects of a batch.
extension BulkImporter {
    func write(
        _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = sources[sourceIndex].objects[index]
        try resolveToOnes(index, sourceIndex, &batch, name, &report)
        let ordered = keyOrder(index, object, batch)
        try findExisting(ordered, index, sourceIndex, &batch, name, &report)
        var counts = entityReports[object.entityName] ?? .init(entity: object.entityName)
        let writer = writers[sourceIndex][index]
        for instance in 0..<instances[index].count {
            let record = Int(instances[index].records[instance])
            guard !isRejected[record] else {
                instances[index].states[instance] = .rejected
                continue
            }
            let state = instances[index].states[instance]
            if state == .follower {
                try follow(instance, index, writer, batch, &counts)
                continue
            }
            guard state == .open else { continue }
            if object.onMissing != .create {
                instances[index].states[instance] = .skipped
                counts.skipped += 1
                if object.onMissing == .error {
                    try reject(
                        record, of: batch, name, &report,
                        RecordRejection(
                            source: name, line: 0, byteOffset: 0, entity: object.entityName, code: 133000,
                            message: "no object has the record's key"))
                }
                continue
            }
            if let missing = object.unfilled.first ?? instances[index].unfilledName(instance, object) {
                try reject(
                    record, of: batch, name, &report,
                    RecordRejection(
                        source: name, line: 0, byteOffset: 0, entity: object.entityName, property: missing, code: 1570,
                        message: "the attribute is required, and neither the mapping nor the model gives it a value"))
                instances[index].states[instance] = .rejected
                continue
            }
            let primaryKey = keys.key(inTableOf: object.table.root)
            let refusal = try Self.constraintMessage {
                try writer.insert(instances[index], instance, primaryKey: primaryKey, arena: batch.arena)
            }
            if let refusal {
                try reject(record, of: batch, name, &report, Self.notUnique(name, object, refusal))
                instances[index].states[instance] = .rejected
                continue
            }
            instances[index].primaryKeys[instance] = primaryKey
            instances[index].states[instance] = .inserted
            counts.inserted += 1
            learn(instance, index, object, batch, primaryKey)
        }
        entityReports[object.entityName] = counts
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

    /// A record with the key of an earlier one of the batch changes the object that that one made or found.
    func follow(
        _ instance: Int, _ index: Int, _ writer: ObjectWriter, _ batch: RecordBatch,
        _ counts: inout ImportReport.EntityReport
    ) throws {
        let leader = Int(instances[index].leaders[instance])
        let primaryKey = instances[index].primaryKeys[leader]
        instances[index].primaryKeys[instance] = primaryKey
        guard primaryKey != 0, writer.object.onMatch == .update else {
            counts.skipped += 1
            return
        }
        var changes: Set<Int> = []
        let object = writer.object
        for position in object.attributes.indices {
            let (new, old) = (instances[index].cell(instance, position), instances[index].cell(leader, position))
            if instances[index].isPresent(instance, position), !Self.isEqual(new, old, batch.arena) { changes.insert(position) }
        }
        for position in object.toOnes.indices where object.toOnes[position].column != nil {
            let (new, old) = (instance * object.toOnes.count + position, leader * object.toOnes.count + position)
            if instances[index].toOnePresent[new], instances[index].toOneKeys[new] != instances[index].toOneKeys[old] {
                changes.insert(object.attributes.count + position)
            }
        }
        // The next follower compares with what is in the store now.
        for position in object.attributes.indices where instances[index].isPresent(instance, position) {
            instances[index].cells[leader * object.attributes.count + position] = instances[index].cell(instance, position)
        }
        guard !changes.isEmpty else {
            counts.unchanged += 1
            return
        }
        try writer.update(instances[index], instance, primaryKey: primaryKey, changes: changes, arena: batch.arena)
        counts.updated += 1
    }

    static func isEqual(_ left: ConvertedValue, _ right: ConvertedValue, _ arena: [UInt8]) -> Bool {
        switch (left, right) {
        case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)):
            arena[one.range].elementsEqual(arena[other.range])
        default: left == right
        }
    }

    /// Instances with different keys, sorted by key; equal keys follow the first. NULL keys equal nothing.
    func keyOrder(_ index: Int, _ object: CompiledObject, _ batch: RecordBatch) -> [Int] {
        guard object.hasKey else { return [] }
        var order: [Int] = []
        order.reserveCapacity(instances[index].count)
        for instance in 0..<instances[index].count where !isRejected[Int(instances[index].records[instance])] {
            let start = instances[index].keyArena.count
            var isWhole = true
            for attribute in object.keyAttributes {
                switch instances[index].cell(instance, attribute) {
                case .null: isWhole = false
                case .integer(let number): KeyBytes.append(number, to: &instances[index].keyArena)
                case .real(let number): KeyBytes.append(number, to: &instances[index].keyArena)
                case .text(let range): KeyBytes.append(text: batch.arena[range.range], to: &instances[index].keyArena)
                case .blob(let range):
                    KeyBytes.append(text: batch.arena[range.range], tag: KeyBytes.blobTag, to: &instances[index].keyArena)
                }
            }
            for toOne in object.keyRelationships {
                let key = instances[index].toOneKeys[instance * object.toOnes.count + toOne]
                if key == 0 { isWhole = false } else { KeyBytes.append(key, to: &instances[index].keyArena) }
            }
            guard isWhole else {
                instances[index].keyArena.removeLast(instances[index].keyArena.count - start)
                continue
            }
            instances[index].keyStarts[instance] = start
            instances[index].keyEnds[instance] = instances[index].keyArena.count
            order.append(instance)
        }
        let current = instances[index]
        order.sort {
            let (left, right) = (current.key($0), current.key($1))
            return left.elementsEqual(right) ? $0 < $1 : left.lexicographicallyPrecedes(right)
        }
        var leaders: [Int] = []
        leaders.reserveCapacity(order.count)
        for instance in order {
            if let leader = leaders.last, current.key(leader).elementsEqual(current.key(instance)) {
                instances[index].states[instance] = .follower
                instances[index].leaders[instance] = Int32(leader)
            } else {
                leaders.append(instance)
            }
        }
        return leaders
    }

    func findExisting(
        _ sorted: [Int], _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        guard !sorted.isEmpty else { return }
        if freshness[sourceIndex][index] != nil {
            var isKnown = false
            for instance in sorted {
                let hash = KeyBytes.hash(instances[index].key(instance))
                if freshness[sourceIndex][index]?.insert(hash) ?? true { isKnown = true }
            }
            if !isKnown { return }
            // A key may have come before: from here on every key is looked up.
            freshness[sourceIndex][index] = nil
            try indexes.require(writers[sourceIndex][index].keyColumns, of: sources[sourceIndex].objects[index].table.name)
        }
        let writer = writers[sourceIndex][index]
        let object = writer.object
        var counts = entityReports[object.entityName] ?? .init(entity: object.entityName)
        var current = instances[index]
        var updates: [(instance: Int, key: Int64, changes: Set<Int>)] = []
        var duplicates = 0
        var matched: [Int] = []
        try writer.find(sorted, current, arena: batch.arena) { instance, row, firstCompared in
            guard current.states[instance] == .open else {
                duplicates += 1
                return
            }
            current.primaryKeys[instance] = row.integer(0)
            current.states[instance] = .unchanged
            matched.append(instance)
            guard object.onMatch == .update || object.onMatch == .fill else { return }
            let changes = writer.changes(current, instance, row: row, firstColumn: firstCompared, arena: batch.arena)
            if !changes.isEmpty { updates.append((instance, row.integer(0), changes)) }
        }
        if duplicates > 0 {
            self.report.findings.append(
                "\(object.entityName): \(duplicates) objects of the store have the key of another one; the first counts")
        }
        switch object.onMatch {
        case .skip: for instance in matched { current.states[instance] = .skipped }
        case .error:
            for instance in matched {
                try reject(
                    Int(current.records[instance]), of: batch, name, &report,
                    RecordRejection(
                        source: name, line: 0, byteOffset: 0, entity: object.entityName, code: 133021,
                        message: "an object with the record's key is there already"))
                current.states[instance] = .rejected
            }
        case .update, .fill: break
        }
        for (instance, key, changes) in updates {
            let refusal = try Self.constraintMessage {
                try writer.update(current, instance, primaryKey: key, changes: changes, arena: batch.arena)
            }
            if let refusal {
                try reject(Int(current.records[instance]), of: batch, name, &report, Self.notUnique(name, object, refusal))
                current.states[instance] = .rejected
            } else {
                current.states[instance] = .updated
            }
        }
        for instance in matched {
            switch current.states[instance] {
            case .updated: counts.updated += 1
            case .unchanged: counts.unchanged += 1
            case .skipped: counts.skipped += 1
            default: break
            }
        }
        let rejectedBefore = entityReports[object.entityName]?.rejected ?? 0
        counts.rejected = max(counts.rejected, rejectedBefore)
        entityReports[object.entityName] = counts
        instances[index] = current
    }

    /// Tells resolvers of the same entity about a new object.
    func learn(_ instance: Int, _ index: Int, _ object: CompiledObject, _ batch: RecordBatch, _ primaryKey: Int64) {
        for resolver in resolvers where resolver.isCached && layout.model.isKind(object.slot, of: resolver.slot) {
            guard let position = object.attributes.firstIndex(where: { $0.attribute.key == resolver.attribute.key }),
                let key = Self.keyBytes(instances[index].cell(instance, position), batch.arena)
            else { continue }
            resolver.learn(key, KeyIndex.Target(primaryKey: primaryKey, entity: Int64(object.entityNumber)))
        }
    }

    static func keyBytes(_ value: ConvertedValue, _ arena: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        switch value {
        case .null: return nil
        case .integer(let number): KeyBytes.append(number, to: &bytes)
        case .real(let number): KeyBytes.append(number, to: &bytes)
        case .text(let range): KeyBytes.append(text: arena[range.range], to: &bytes)
        case .blob(let range): KeyBytes.append(text: arena[range.range], tag: KeyBytes.blobTag, to: &bytes)
        }
        return bytes
    }

    static func storedValue(_ value: ConvertedValue, _ arena: [UInt8]) -> SQLiteValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(Array(arena[range.range]))
        case .blob(let range): .blob(Array(arena[range.range]))
        }
    }
}

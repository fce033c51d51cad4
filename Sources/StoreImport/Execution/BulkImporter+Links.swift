import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The links of a batch: to-one keys before objects are written, to-many links after.
extension BulkImporter {
    /// Finds the destinations of the to-one relationships, so that objects are written with them.
    func resolveToOnes(
        _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = sources[sourceIndex].objects[index]
        for (position, relationship) in object.toOnes.enumerated() {
            switch relationship.target {
            case .object(let other):
                linkWithinRecord(index, position, other, Int64(sources[sourceIndex].objects[other].entityNumber))
            case .key(let target):
                try resolve(target, relationship, position, index, object, &batch, name, &report)
            }
        }
    }

    func linkWithinRecord(_ index: Int, _ position: Int, _ other: Int, _ entity: Int64) {
        var first: [Int32: Int] = [:]
        for instance in 0..<instances[other].count where first[instances[other].records[instance]] == nil {
            first[instances[other].records[instance]] = instance
        }
        let toOneCount = instances[index].toOneCount
        for instance in 0..<instances[index].count {
            guard let target = first[instances[index].records[instance]] else { continue }
            let key = instances[other].primaryKeys[target]
            guard key != 0 else { continue }
            instances[index].toOneKeys[instance * toOneCount + position] = key
            instances[index].toOneEntities[instance * toOneCount + position] = entity
            instances[index].toOnePresent[instance * toOneCount + position] = true
        }
    }

    func resolve(
        _ target: CompiledKeyTarget, _ relationship: CompiledRelationship, _ position: Int, _ index: Int,
        _ object: CompiledObject, _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let resolver = resolvers[target.resolver]
        let toOneCount = object.toOnes.count
        var wanted: [(instance: Int, key: [UInt8], value: SQLiteValue)] = []
        for instance in 0..<instances[index].count {
            let record = Int(instances[index].records[instance])
            guard !isRejected[record] else { continue }
            let field = self.field(target.origin, record, Int(instances[index].nodes[instance]), &batch)
            do {
                let value = try target.conversion.convert(field, in: &batch)
                instances[index].toOnePresent[instance * toOneCount + position] = field.kind != .missing
                guard let key = Self.keyBytes(value, batch.arena) else {
                    if !relationship.relationship.isOptional || target.missing == .required {
                        throw ImportFault(code: 1570, message: "the relationship is required, and the record names no object")
                    }
                    continue
                }
                if let found = resolver.isCached ? resolver.target(of: key) : nil {
                    instances[index].toOneKeys[instance * toOneCount + position] = found.primaryKey
                    instances[index].toOneEntities[instance * toOneCount + position] = found.entity
                } else {
                    wanted.append((instance, key, Self.storedValue(value, batch.arena)))
                }
            } catch {
                let (code, message) = Self.describe(error, target.conversion)
                try reject(
                    record, of: batch, name, &report,
                    RecordRejection(
                        source: name, line: 0, byteOffset: 0, column: target.sourceName, entity: object.entityName,
                        property: relationship.name, code: code, value: Array(batch.bytes(of: field)), message: message))
            }
        }
        guard !wanted.isEmpty else { return }
        if !resolver.isCached {
            try indexes.require([target.column], of: layout.table(ofEntity: target.slot)?.name ?? "")
            try resolver.fetch(wanted.map { ($0.key, $0.value) })
        }
        for (instance, key, value) in wanted {
            let place = instance * toOneCount + position
            var found = resolver.target(of: key)
            if found == nil, target.missing == .create {
                found = try resolver.create(key, value: value, keys: &keys)
            }
            if let found {
                instances[index].toOneKeys[place] = found.primaryKey
                instances[index].toOneEntities[place] = found.entity
            } else {
                let record = Int(instances[index].records[instance])
                if target.missing == .required, !canAppearLater(target.slot) {
                    try reject(
                        record, of: batch, name, &report,
                        RecordRejection(
                            source: name, line: 0, byteOffset: 0, column: target.sourceName, entity: object.entityName,
                            property: relationship.name, code: 133000, value: value.blobOrText,
                            message: "no object of \(layout.model.entities[target.slot].name) has this key"))
                }
                // The link waits; what the store has stays until then.
                instances[index].toOnePresent[place] = false
                instances[index].toOneKeys[place] = Self.waitingKey
            }
        }
    }

    /// Marks a to-one whose destination is not there yet; no primary key is negative.
    static let waitingKey: Int64 = -1

    /// Whether a source makes objects of an entity, so that a missing one may still come.
    func canAppearLater(_ slot: Int) -> Bool {
        sources.contains { $0.objects.contains { layout.model.isKind($0.slot, of: slot) } }
    }

    /// Writes the links of a batch's objects, or lets them wait.
    func link(_ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch) throws {
        let object = sources[sourceIndex].objects[index]
        let toOneCount = object.toOnes.count
        try followInverses(index, sourceIndex, object)
        for (position, relationship) in object.toOnes.enumerated() {
            guard case .key(let target) = relationship.target else { continue }
            for instance in 0..<instances[index].count
            where instances[index].toOneKeys[instance * toOneCount + position] == Self.waitingKey {
                let owner = instances[index].primaryKeys[instance]
                let record = Int(instances[index].records[instance])
                guard owner != 0, !isRejected[record] else { continue }
                let field = self.field(target.origin, record, Int(instances[index].nodes[instance]), &batch)
                guard let value = try? target.conversion.convert(field, in: &batch) else { continue }
                try pending.append(
                    PendingLinks.Link(
                        source: sourceIndex, object: index, relationship: position, owner: owner, ordinal: 0,
                        line: batch[record].line, key: Self.storedValue(value, batch.arena)))
            }
        }
        for (position, relationship) in object.toManys.enumerated() {
            let writer = linkWriters[sourceIndex][index][toOneCount + position]
            switch relationship.target {
            case .object(let other):
                try linkInstances(
                    index, other, writer, object, Int64(sources[sourceIndex].objects[other].entityNumber))
            case .key(let target):
                try linkByKey(target, toOneCount + position, index, sourceIndex, object, &batch)
            }
        }
    }

    /// Keeps the other sides of the to-ones right that were written with the batch's objects.
    func followInverses(_ index: Int, _ sourceIndex: Int, _ object: CompiledObject) throws {
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
                try writer.follow(owner: owner, entity: Int64(object.entityNumber), destination: destination)
            }
        }
    }

    func linkInstances(
        _ index: Int, _ other: Int, _ writer: LinkWriter?, _ object: CompiledObject, _ otherEntity: Int64
    ) throws {
        guard let writer else { return }
        var byRecord: [Int32: [Int]] = [:]
        for instance in 0..<instances[other].count { byRecord[instances[other].records[instance], default: []].append(instance) }
        for instance in 0..<instances[index].count {
            let owner = instances[index].primaryKeys[instance]
            guard owner != 0 else { continue }
            for target in byRecord[instances[index].records[instance]] ?? [] {
                let key = instances[other].primaryKeys[target]
                guard key != 0 else { continue }
                if try writer.link(
                    owner: .init(primaryKey: owner, entity: Int64(object.entityNumber)),
                    destination: .init(primaryKey: key, entity: otherEntity)) {
                    entityReports[object.entityName, default: .init(entity: object.entityName)].related += 1
                }
            }
        }
    }

    /// The keys of a to-many: the parts of a separated text, or every value of a path.
    func linkByKey(
        _ target: CompiledKeyTarget, _ relationship: Int, _ index: Int, _ sourceIndex: Int, _ object: CompiledObject,
        _ batch: inout RecordBatch
    ) throws {
        for instance in 0..<instances[index].count {
            let owner = instances[index].primaryKeys[instance]
            let record = Int(instances[index].records[instance])
            guard owner != 0, !isRejected[record] else { continue }
            for (ordinal, field) in fields(target, record, Int(instances[index].nodes[instance]), &batch).enumerated() {
                guard let value = try? target.conversion.convert(field, in: &batch), value != .null else { continue }
                try pending.append(
                    PendingLinks.Link(
                        source: sourceIndex, object: index, relationship: relationship, owner: owner,
                        ordinal: Int64(ordinal), line: batch[record].line, key: Self.storedValue(value, batch.arena)))
            }
        }
    }

    func fields(
        _ target: CompiledKeyTarget, _ record: Int, _ node: Int, _ batch: inout RecordBatch
    ) -> [RecordField] {
        var found: [RecordField] = []
        if case .path(let path) = target.origin {
            let start = node >= 0 ? node : Int(batch[record].rootNode)
            if start >= 0 { path.visit(batch.nodes, from: start) { found.append(path.value(batch.nodes, at: $0)); return true } }
        } else {
            found.append(field(target.origin, record, node, &batch))
        }
        guard let separator = target.separator, !separator.isEmpty else { return found }
        return found.flatMap { split($0, by: separator, batch) }
    }

    func split(_ field: RecordField, by separator: [UInt8], _ batch: RecordBatch) -> [RecordField] {
        guard !field.isAbsent, field.kind != .node else { return [] }
        var parts: [RecordField] = []
        var start = field.start
        var place = field.start
        let end = field.start + field.length
        while place < end {
            if place + separator.count <= end, batch.arena[place..<place + separator.count].elementsEqual(separator) {
                parts.append(RecordField(.text, start: start, length: place - start))
                place += separator.count
                start = place
            } else {
                place += 1
            }
        }
        parts.append(RecordField(.text, start: start, length: end - start))
        return parts
    }
}

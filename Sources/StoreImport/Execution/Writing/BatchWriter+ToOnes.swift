import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// The to-one relationships of a batch's objects, which are resolved before the objects are written.
extension BatchWriter {
    /// Finds the destinations of the to-one relationships, so that they are written with the objects.
    func resolveToOnes(
        _ entity: EntityImport, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = entity.object
        let late = entity.source.compiled.lateToOnes[entity.index]
        if unproven?.constrainedRoots.contains(object.table.root) ?? false {
            for record in entity.instances.records where !batchState.isRejected[Int(record)] {
                log.open.insert(session.recordNumber(batch, Int(record)))
            }
        }
        for (position, relationship) in object.toOnes.enumerated() {
            switch relationship.target {
            case .object(let other):
                if !late.contains(position) {
                    linkWithinRecord(entity, position, entity.sibling(other))
                }
                try unlinkWithinRecord(entity, position, entity.sibling(other), batch, name, &report)
                if entity.relationships[position].waitsInPlace { letWait(position, of: entity) }
            case .key(let target):
                try resolve(target, position, of: entity, &batch, name, &report)
                if entity.relationships[position].waits { try letWait(target, position, of: entity, batch) }
            }
        }
        // If a record may have to be revoked, its changes are noted from the beginning.
        if let openRecords = unproven?.records { try findDependents(entity, batch, openRecords) }
    }

    /// Empties the to-one relationships in whose place the record has a null.
    func unlinkWithinRecord(
        _ entity: EntityImport, _ position: Int, _ other: EntityImport, _ batch: RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = entity.object
        guard let path = other.object.records else { return }
        for instance in 0..<entity.instances.count {
            let record = Int(entity.instances.records[instance])
            guard !batchState.isRejected[record], let start = session.partStart(other, entity, instance, batch),
                path.leadsToNull(batch.nodes, from: start)
            else { continue }
            let relationship = object.toOnes[position]
            guard relationship.relationship.isOptional else {
                try session.reject(
                    record, of: batch, name, &report,
                    object.reason(.nullDestination, relationship.name, column: path.text))
                continue
            }
            entity.instances.toOnePresent[instance * object.toOnes.count + position] = true
        }
    }

    /// Links objects to other objects of their record.
    func linkWithinRecord(_ entity: EntityImport, _ position: Int, _ other: EntityImport) {
        let toOneCount = entity.instances.toOneCount
        if !entity.object.isPart, !other.object.isPart, entity.instances.records == other.instances.records {
            // Each record has one object of each mapping.
            for instance in 0..<entity.instances.count where other.instances.primaryKeys[instance] != 0 {
                let place = instance * toOneCount + position
                entity.instances.toOneKeys[place] = other.instances.primaryKeys[instance]
                entity.instances.toOneEntities[place] = other.instances.entities[instance]
                entity.instances.toOnePresent[place] = true
            }
            return
        }
        for (instance, targets) in session.related(entity, other).enumerated() {
            guard let target = targets.first(where: { other.instances.primaryKeys[$0] != 0 }) else { continue }
            let place = instance * toOneCount + position
            entity.instances.toOneKeys[place] = other.instances.primaryKeys[target]
            entity.instances.toOneEntities[place] = other.instances.entities[target]
            entity.instances.toOnePresent[place] = true
        }
    }

    private func resolve(
        _ target: CompiledKeyTarget, _ position: Int, of entity: EntityImport, _ batch: inout RecordBatch,
        _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let object = entity.object
        let relationship = object.toOnes[position]
        let resolver = resolvers[target.resolver]
        let toOneCount = object.toOnes.count
        var wanted: [(instance: Int, key: ReferenceKey)] = []
        let isCached = resolver.isCached
        for instance in resolver.resolve(position, of: &entity.instances, batchState.isRejected, in: batch.arena) {
            let record = Int(entity.instances.records[instance])
            let place = instance * toOneCount + position
            do throws(RejectionReason) {
                let (key, isPresent) = try batch.key(
                    target.parts, of: record, node: Int(entity.instances.nodes[instance]))
                entity.instances.toOnePresent[place] = isPresent
                guard let key else {
                    if isPresent, !relationship.relationship.isOptional {
                        throw RejectionReason(.noDestination, column: target.sourceName)
                    }
                    continue
                }
                if let found = isCached ? resolver.target(of: key.bytes) : nil {
                    entity.instances.toOneKeys[place] = found.primaryKey
                    entity.instances.toOneEntities[place] = found.entity
                } else {
                    wanted.append((instance, key))
                }
            } catch {
                try session.reject(record, of: batch, name, &report, error.of(object, relationship.name))
            }
        }
        guard !wanted.isEmpty else { return }
        if !resolver.isCached {
            if !resolver.isSourceKey {
                for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
                if session.keys.hadObjects { try session.cache.need(connection) }
            }
            try resolver.fetch(wanted.map(\.key))
        }
        for (instance, key) in wanted {
            let place = instance * toOneCount + position
            let record = Int(entity.instances.records[instance])
            guard !batchState.isRejected[record] else { continue }
            let number = session.recordNumber(batch, record)
            let found: KeyIndex.Target?
            do {
                found = try resolver.target(of: key.bytes) ?? create(key, target, resolver, for: number)
            } catch let refusal as RejectionReason {
                try session.reject(record, of: batch, name, &report, refusal.of(object, relationship.name))
                continue
            }
            if let found {
                entity.instances.toOneKeys[place] = found.primaryKey
                entity.instances.toOneEntities[place] = found.entity
                continue
            }
            let isKey = object.keyRelationships.contains(position)
            if let refusal = absence(of: key, target, relationship, isKey: isKey) {
                try session.reject(record, of: batch, name, &report, refusal.of(object, relationship.name))
                continue
            }
            // The link waits. Until then, the object keeps its destination, which may be the one that the record names.
            if unproven != nil, isDemanding(target, entity.relationships[position]) {
                log.open.insert(number)
            }
            if entity.relationships[position].isUnique { unproven?.constrainedRoots.insert(object.table.root) }
            entity.instances.toOnePresent[place] = false
            entity.instances.toOneKeys[place] = ObjectInstances.waitingKey
        }
        noteNamers(layout.model.entities[target.slot].root, position, entity, batch)
    }

    /// Finds the first records that name the objects which have been created for the batch.
    private func noteNamers(_ root: Int, _ position: Int, _ entity: EntityImport, _ batch: RecordBatch) {
        guard !batchState.namers.isEmpty else { return }
        for instance in 0..<entity.instances.count {
            let object = BatchState.NamedObject(
                root: root, key: entity.instances.toOneKeys[instance * entity.instances.toOneCount + position])
            let number = session.recordNumber(batch, Int(entity.instances.records[instance]))
            guard object.key > 0, let first = batchState.namers[object], number < first else { continue }
            batchState.namers[object] = number
        }
    }

    /// Makes a to-one relationship wait in all records that have its object in place.
    private func letWait(_ position: Int, of entity: EntityImport) {
        for instance in 0..<entity.instances.count {
            let place = instance * entity.object.toOnes.count + position
            guard entity.instances.toOnePresent[place] else { continue }
            entity.instances.toOnePresent[place] = false
            entity.instances.toOneKeys[place] = ObjectInstances.waitingKey
        }
    }

    /// Makes a to-one relationship wait in all records that set it.
    private func letWait(
        _ target: CompiledKeyTarget, _ position: Int, of entity: EntityImport, _ batch: RecordBatch
    ) throws {
        let root = layout.model.entities[target.slot].root
        for instance in 0..<entity.instances.count {
            let record = Int(entity.instances.records[instance])
            let place = instance * entity.object.toOnes.count + position
            guard !batchState.isRejected[record], entity.instances.toOnePresent[place] else { continue }
            let destination = entity.instances.toOneKeys[place]
            if destination == 0 { entity.instances.toOneEntities[place] = ObjectInstances.endingEntity }
            if destination > 0, let openRecords = unproven?.records,
                isDemanding(target, entity.relationships[position]),
                try entity.relationships[position].isRuled || openRecords.contains(destination, root: root)
            {
                log.open.insert(session.recordNumber(batch, record))
            }
            entity.instances.toOnePresent[place] = false
            entity.instances.toOneKeys[place] = ObjectInstances.waitingKey
        }
    }

    /// Creates an object that a record names, if the mapping says so and the model allows it; otherwise returns nil.
    ///
    /// - Throws: `RejectionReason` if the object would have a unique value of another object; `SQLiteError`.
    func create(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, _ resolver: ReferenceResolver, for record: Int64,
        reusing former: Int64 = 0
    ) throws -> KeyIndex.Target? {
        guard target.makesMissing else { return nil }
        let made: KeyIndex.Target
        do {
            made = try resolver.create(key, reusing: former, keys: &session.keys)
        } catch let error as SQLiteError where error.isConstraint {
            throw target.refusal(key.values, error.message)
        }
        if !linkStage.areWritten {
            batchState.namers[
                BatchState.NamedObject(root: layout.model.entities[target.slot].root, key: made.primaryKey)] = record
        }
        for other in resolvers where layout.model.isKind(target.slot, of: other.slot) {
            other.learn(of: key, made, madeBy: resolver)
        }
        log.noteAffected(target.slot, made.primaryKey, entity: made.entity, role: .created, of: record)
        return made
    }

    /// Returns whether a record may have to be revoked because of a pending link.
    func isDemanding(
        _ target: CompiledKeyTarget, _ relationship: RelationshipImport
    ) -> Bool {
        target.missing == .required || !relationship.compiled.relationship.isOptional || target.unfilled != nil
            || relationship.isRuled || relationship.isUnique || relationship.makesNeedy || target.clash != .none
    }

    /// Returns the reason for rejecting a record immediately because an object does not exist; nil if the link can
    /// wait.
    func absence(
        of key: ReferenceKey, _ target: CompiledKeyTarget, _ relationship: CompiledRelationship, isKey: Bool = false
    ) -> RejectionReason? {
        let entity = layout.model.entities[target.slot].name
        func reason(_ fault: RejectionFault) -> RejectionReason {
            RejectionReason(fault, column: target.sourceName, value: key.values.first?.blobOrText ?? [])
        }
        if isKey { return reason(.noObjectYet(entity: entity)) }
        if scope.canAppear(target.slot, from: session.reading.file) { return nil }
        if target.missing == .create, let unfilled = target.unfilled {
            return reason(.notCreatable(entity: entity, lacking: unfilled))
        }
        guard target.missing == .required || !relationship.relationship.isOptional else { return nil }
        return reason(.noObject(entity: entity))
    }
}

extension RecordBatch {
    /// Returns the key by which a record names an object, nil if there is none; and whether the record contains any
    /// value of the key.
    mutating func key(
        _ parts: [CompiledKeyTarget.Part], of record: Int, node: Int
    ) throws(RejectionReason) -> (key: ReferenceKey?, isPresent: Bool) {
        var values: [SQLiteValue] = []
        var isPresent = false
        for part in parts {
            let field = part.origin.field(record, node, &self)
            if field.kind != .missing { isPresent = true }
            values.append(try part.value(of: field, in: &self).sqliteValue(in: arena))
        }
        return (ReferenceKey(values), isPresent)
    }
}

extension CompiledKeyTarget.Part {
    /// Returns the value of a field as a part of the key; NULL if it has no value.
    @inline(__always)
    func value(of field: RecordField, in batch: inout RecordBatch) throws(RejectionReason) -> ConvertedValue {
        do throws(ConversionFailure) {
            let value = try conversion.convert(field, in: &batch)
            guard conversion.target == .decimal, case .text(let range) = value,
                let stored = DecimalConversion.storedNumber(batch.arena.span.extracting(range.range))
            else { return value }
            if stored.isRounded { throw ConversionFailure(.inexactKey) }
            return stored.value
        } catch {
            throw batch.reason(error, field, expected: conversion.expectation, column: sourceName)
        }
    }
}

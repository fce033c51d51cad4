import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// Deletion of objects that the sources no longer contain.
extension ImportSession {
    /// Records the objects to which the records of a batch belong, including those of rejected records.
    func noteMirrored(_ source: SourceImport, _ batch: inout RecordBatch) throws {
        guard let mirror else { return }
        for entity in source.entities where mirror.covers(root: entity.object.table.root) && entity.object.hasKey {
            let object = entity.object
            // New objects are kept in any case.
            let firstNew = keys.firstNewKey(inTableOf: object.table.root)
            for key in entity.instances.primaryKeys where key > 0 && key < firstNew {
                try mirror.note(key, root: object.table.root)
            }
            for record in batchState.rejected {
                guard try !noteRejected(record, entity.writer, mirror, &batch) else { continue }
                try mirror.noteUnknown(record: recordNumber(batch, record))
            }
        }
    }

    /// Records the objects with the key of a rejected record; returns false if the key is not known.
    private func noteRejected(
        _ record: Int, _ writer: MappedObjectWriter, _ mirror: MirroredObjects, _ batch: inout RecordBatch
    ) throws -> Bool {
        switch try key(ofRejected: record, writer, &batch) {
        case .unknown: return false
        case .none: return true
        case .values(let key):
            for object in try objects(withKey: key, writer) { try mirror.note(object, root: writer.object.table.root) }
            return true
        }
    }

    /// Records the parts to which a to-one relationship will no longer lead.
    func noteReplacedParts(
        of primaryKey: Int64, _ changes: Set<Int>, _ entity: EntityImport
    ) throws {
        guard let mirror else { return }
        let object = entity.object
        for slot in entity.source.compiled.mirroredParts[entity.index]
        where slot < object.toOnes.count && changes.contains(object.attributes.count + slot) {
            guard let column = object.toOnes[slot].column, let place = mirror.partPlace(entity, slot),
                let part = try connection.cells(
                    SQLiteIdentifier.quoted(object.table.name), primaryKey, [SQLiteIdentifier.quoted(column)]
                ).first?.integer
            else { continue }
            try mirror.noteReplaced(part, at: place)
        }
    }

    /// Deletes the objects of mirrored entities that are in no record, and parts without owners, according to the
    /// model's delete rules; or reports why they are not deleted.
    func deleteAbsent() throws {
        guard let mirror else { return }
        let deletion = try ObjectDeletion(connection, layout: layout)
        defer { try? deletion.close() }
        var totals: [Int: Int64] = [:]
        for slot in mirror.slots {
            let root = layout.model.entities[slot].root
            guard keys.hadObjects(inTableOf: root), let table = layout.table(ofEntity: slot) else { continue }
            let isOld = "s.Z_ENT = \(layout.entityNumbers[slot]) AND s.Z_PK < \(keys.firstNewKey(inTableOf: root))"
            totals[slot] =
                try connection.value(
                    "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) s WHERE \(isOld)"
                ).integer ?? 0
            try deletion.add(slot, where: "\(isOld) AND \(mirror.isAbsent(root: root))")
        }
        for (number, place) in mirror.partPlaces.enumerated() {
            let objects = sources[place.source].compiled.objects
            let relationship = (objects[place.object].toOnes + objects[place.object].toManys)[place.slot].relationship
            guard let links = LinkPlace(relationship, layout: layout) else { continue }
            let part = objects[place.part].slot
            let firstNew = keys.firstNewKey(inTableOf: objects[place.part].table.root)
            try deletion.add(part, where: "s.Z_PK < \(firstNew) AND \(mirror.isOrphan(at: number, links))")
        }
        for (table, column) in deletion.searchedColumns { try indexes.require([column], of: table) }
        try deletion.cascade()
        let counts = try deletion.counts()
        let count = counts.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        guard try mayDelete(count, deletion, mirror) else { return }
        let isEmptied = counts.contains { $0.count == totals[$0.slot] }
        let total = totals.values.reduce(0, +)
        guard options.maximumDeletes.allows(count, of: total, isEmptied: isEmptied) else {
            let shown = counts.map { "\(layout.model.entities[$0.slot].name): \(Quantity.count($0.count))" }
            throw ImportError.tooManyDeletes(
                count, shown.joined(separator: ", "), limit: options.maximumDeletes.text(of: total))
        }
        try releaseExternalData()
        _ = try deletion.delete(unlinking: .all)
        for (slot, count) in counts {
            let name = layout.model.entities[slot].name
            tally[name].deleted += count
        }
    }

    /// Returns whether the objects to delete are known and the model allows their deletion; otherwise adds a finding
    /// that says why they are kept.
    private func mayDelete(_ count: Int64, _ deletion: ObjectDeletion, _ mirror: MirroredObjects) throws -> Bool {
        let kept = "\(Quantity.count(count, "object is", plural: "objects are")) not deleted, though no record has "
        if mirror.unknownRecords > 0 {
            tally.report.findings.append(
                kept
                    + "them: \(Quantity.count(mirror.unknownRecords, "rejected record has", plural: "rejected records have")) "
                    + "keys that cannot be read, so that theirs may be among them; correct the records, and import again"
            )
            return false
        }
        guard let refusal = try deletion.refusal() else { return true }
        let subject = "\(refusal.entity).\(refusal.relationship)"
        tally.report.findings.append(
            kept + "them: "
                + (refusal.code == 1600
                    ? "\(subject) denies it for \(Quantity.count(refusal.objects, "object")) [1600]"
                    : "\(Quantity.count(refusal.objects, "object")) would lack what \(subject) needs [\(refusal.code)]")
        )
        return false
    }

    /// Records the external files of values that are deleted with their objects.
    private func releaseExternalData() throws {
        try ExternalData.forEachReference(
            connection, layout: layout, where: { ObjectDeletion.isDeleted(root: $0.root, key: "Z_PK") },
            external.release)
    }
}

extension CompiledAttribute {
    /// Returns the value of a key in a record, as the store holds it.
    ///
    /// - Throws: `ConversionFailure`.
    func keyValue(of record: Int, in batch: inout RecordBatch) throws -> SQLiteValue {
        var value = try conversion.convert(origin.field(record, -1, &batch), in: &batch)
        if value == .null, let text = defaultText {
            let start = batch.appendValue(text)
            value = try conversion.convert(RecordField(.quoted, start: start, length: text.count), in: &batch)
        } else if value == .null, let modelDefault {
            value = batch.value(of: modelDefault)
        }
        if conversion.target == .decimal, case .text(let range) = value,
            let stored = DecimalConversion.storedNumber(batch.arena.span.extracting(range.range))
        {
            value = stored.value
        }
        return value.sqliteValue(in: batch.arena)
    }
}

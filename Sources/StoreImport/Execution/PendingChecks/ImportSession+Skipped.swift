import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Records that are skipped because no object has their key, although a rejected record would have created it. They are
/// imported again together with that record, because they find the object as soon as the record is corrected.
extension ImportSession {
    /// Returns whether records of a mapping are skipped if no object has their key.
    static func skipsMissing(_ entity: EntityImport) -> Bool {
        entity.object.onMissing == .skip && entity.object.hasKey
    }

    /// Notes the objects that the rejected records of a batch would have created, and the records of the batch that are
    /// skipped without these objects.
    func noteSkipped(_ source: SourceImport, _ batch: inout RecordBatch) throws {
        guard let rejectedKeys else { return }
        for record in batchState.rejected.sorted() {
            for entity in entities where Self.skipsMissing(entity) {
                for key in try keysMade(byRejected: record, of: source, as: entity, &batch) {
                    try rejectedKeys.append(key, of: entity, record: recordNumber(batch, record))
                }
            }
        }
        guard !rejectedKeys.isEmpty else { return }
        // If the keys of a mapping are not looked up, nothing creates objects of its entity.
        for entity in source.entities where Self.skipsMissing(entity) && entity.keyHistory == nil {
            for instance in 0..<entity.instances.count {
                let record = Int(entity.instances.records[instance])
                guard isSkippedAsMissing(entity.instances, instance), !batchState.isRejected[record],
                    entity.instances.hasKey(instance)
                else { continue }
                let (key, number) = (entity.instances.key(instance), recordNumber(batch, record))
                guard try rejectedKeys.contains(key, of: entity, before: number) else { continue }
                try linkStage.absent.append(entry(number, record, batch))
                try noteSkipped(number, entity, key: KeyBytes.values(of: Array(key)))
            }
        }
    }

    private func isSkippedAsMissing(_ instances: ObjectInstances, _ instance: Int) -> Bool {
        guard instances.primaryKeys[instance] == 0 else { return false }
        let state = instances.states[instance]
        return state == .skipped || state == .follower && instances.outcomes[instance] == .skipped
    }

    /// Notes that a record is skipped because a rejected record would have created its object.
    func noteSkipped(_ record: Int64, _ entity: EntityImport, key: [SQLiteValue]) throws {
        guard rejects != nil else { return }
        try linkStage.absent.append(
            PendingLink(
                source: entity.source.index, object: entity.index, relationship: -1, owner: 0, ownerEntity: 0,
                record: record, line: 0, isReplacing: false, place: .null, ordinal: -1, number: -1, role: .skipped,
                key: Array(key.prefix(PendingLink.largestKey))))
    }

    /// Notes that a record is now skipped, because no record creates its object any more.
    func noteSkipped(_ recorded: RecordedObject) throws {
        let entity = sources[recorded.source].entities[recorded.mapping]
        let key = entity.writer.keyColumns.map { column in
            recorded.cells.first { $0.column == SQLiteIdentifier.quoted(column) }?.value ?? .null
        }
        try noteSkipped(recorded.record, entity, key: key)
    }

    /// Writes a line to the log about a skipped record, which is imported again together with a rejected one.
    func reportSkipped(_ link: PendingLink, _ entry: PendingRecords.Entry, canRepeat: Bool) throws {
        let entity = sources[link.source].entities[link.object]
        let object = entity.object
        let names =
            object.keyAttributes.map { object.attributes[$0].attribute.name }
            + object.keyRelationships.map { object.toOnes[$0].name }
        let shown = ReferenceKey(link.key).map { " \($0.shown)" } ?? ""
        try rejects?.note(
            object.reason(
                .skipped(key: names.joined(separator: ", ") + shown, isRepeatable: canRepeat),
                value: link.key.first?.blobOrText ?? []),
            record: entry.number, line: entry.line, file: name(ofFile: entry.file))
    }

    /// Returns the keys of the objects that a rejected record would have created for a mapping, from its own values or
    /// because it names them; nil stands for a key that cannot be determined.
    private func keysMade(
        byRejected record: Int, of source: SourceImport, as entity: EntityImport, _ batch: inout RecordBatch
    ) throws -> [[UInt8]?] {
        var keys: [[UInt8]?] = []
        for maker in source.entities {
            let object = maker.object
            if object.onMissing == .create, layout.model.isKind(object.slot, of: entity.object.slot) {
                keys.append(self.key(ofRejected: record, object, as: entity.object, &batch))
            }
            // Objects of lists, and of to-one relationships that wait, are created when all records are read.
            for (position, relationship) in object.toOnes.enumerated() where !maker.relationships[position].waits {
                guard case .key(let target) = relationship.target, target.makesMissing,
                    layout.model.isKind(target.slot, of: entity.object.slot)
                else { continue }
                guard !object.isPart, batch.problem(of: record) == nil,
                    resolvers[target.resolver].key.ownColumns == entity.writer.keyColumns,
                    let found = try? batch.key(target.parts, of: record, node: -1)
                else {
                    keys.append(nil)
                    continue
                }
                if let key = found.key { keys.append(Array(key.bytes)) }
            }
        }
        return keys
    }

    /// Returns the key that a rejected record gives to its object, in the form in which a mapping looks it up; nil if
    /// it cannot be determined. This includes keys with a missing part, which may be why the record was rejected.
    private func key(
        ofRejected record: Int, _ maker: CompiledObject, as object: CompiledObject, _ batch: inout RecordBatch
    ) -> [UInt8]? {
        guard !maker.isPart, object.keyRelationships.isEmpty, batch.problem(of: record) == nil else { return nil }
        var bytes: [UInt8] = []
        for position in object.keyAttributes {
            let attribute = object.attributes[position].attribute.key
            guard let mapped = maker.attributes.first(where: { $0.attribute.key == attribute }),
                let value = try? mapped.keyValue(of: record, in: &batch), KeyBytes.append(value, to: &bytes)
            else { return nil }
        }
        return bytes
    }
}

import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Keys for which the model has no attributes, by which records refer to the objects of other records.
extension ImportSession {
    /// Returns the keys with a number of components.
    func sourceKeys(ofParts parts: Int) throws(SQLiteError) -> SourceKeys {
        if let known = sourceKeys[parts] { return known }
        let made = try SourceKeys(connection, schema: schema, parts: parts)
        sourceKeys[parts] = made
        return made
    }

    /// Converts the source keys of a mapping's objects before anything is written, so that an invalid key rejects its
    /// record.
    func convertSourceKeys(
        _ entity: EntityImport, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = entity.object
        entity.instances.sourceKeys.removeAll(keepingCapacity: true)
        guard !object.sourceKey.isEmpty else { return }
        for instance in 0..<entity.instances.count {
            let record = Int(entity.instances.records[instance])
            var key: ReferenceKey?
            if !batchState.isRejected[record] {
                do throws(RejectionReason) {
                    key = try batch.key(
                        object.sourceKey, of: record, node: Int(entity.instances.nodes[instance])
                    ).key
                } catch {
                    try reject(
                        record, of: batch, name, &report,
                        error.of(object, CompiledObject.sourceKeyName))
                }
            }
            entity.instances.sourceKeys.append(key)
        }
    }

    /// Removes the keys of a record that is revoked.
    func forgetSourceKeys(of record: Int64) throws {
        for keys in sourceKeys.values { try keys.remove(record: record) }
        for resolver in resolvers where resolver.isSourceKey { resolver.forgetAll() }
    }

    /// Records the objects to which the keys of a batch's records refer.
    func noteSourceKeys(_ entity: EntityImport, _ batch: RecordBatch) throws {
        let object = entity.object
        guard !object.sourceKey.isEmpty else { return }
        let known = try sourceKeys(ofParts: object.sourceKey.count)
        let looking = resolvers.filter { resolver in
            resolver.isSourceKey && resolver.key.parts.count == object.sourceKey.count
                && layout.model.areRelated(object.slot, resolver.slot)
        }
        for (instance, key) in entity.instances.sourceKeys.enumerated() {
            let record = Int(entity.instances.records[instance])
            guard let key, entity.instances.primaryKeys[instance] != 0, !batchState.isRejected[record] else { continue }
            let target = entity.target(of: instance)
            try known.append(key, target, record: recordNumber(batch, record))
            for resolver in looking where resolver.finds(target) { resolver.learn(key.bytes, target) }
        }
    }
}

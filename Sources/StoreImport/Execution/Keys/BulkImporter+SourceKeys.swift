import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Keys that the model has no attribute for: they tell records which objects others mean.
extension BulkImporter {
    /// The keys with so many parts.
    func sourceKeys(ofParts parts: Int) throws(SQLiteError) -> SourceKeys {
        if let known = sourceKeys[parts] { return known }
        let made = try SourceKeys(connection, schema: schema, parts: parts)
        sourceKeys[parts] = made
        return made
    }

    /// Converts the source keys of a mapping's objects before anything is written, so that a bad one rejects its record.
    func convertSourceKeys(
        _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = sources[sourceIndex].objects[index]
        instances[index].sourceKeys.removeAll(keepingCapacity: true)
        guard !object.sourceKey.isEmpty else { return }
        for instance in 0..<instances[index].count {
            let record = Int(instances[index].records[instance])
            var key: ReferenceKey?
            if !isRejected[record] {
                do {
                    key = try self.key(object.sourceKey, record, Int(instances[index].nodes[instance]), &batch).key
                } catch let failure as ReferenceFailure {
                    try reject(
                        record, of: batch, name, &report,
                        failure.rejection(name, object.entityName, property: "sourceKey"))
                }
            }
            instances[index].sourceKeys.append(key)
        }
    }

    /// Forgets the keys of a record that is taken back.
    func forgetSourceKeys(of record: Int64) throws {
        for keys in sourceKeys.values { try keys.remove(record: record) }
        for resolver in resolvers where resolver.isSourceKey { resolver.forgetAll() }
    }

    /// Notes which objects the keys of a batch's records name.
    func noteSourceKeys(_ index: Int, _ sourceIndex: Int, _ batch: RecordBatch) throws {
        let object = sources[sourceIndex].objects[index]
        guard !object.sourceKey.isEmpty else { return }
        let known = try sourceKeys(ofParts: object.sourceKey.count)
        let looking = resolvers.filter { resolver in
            resolver.isSourceKey && resolver.key.parts.count == object.sourceKey.count
                && layout.model.isKind(object.slot, of: resolver.slot)
        }
        for (instance, key) in instances[index].sourceKeys.enumerated() {
            let record = Int(instances[index].records[instance])
            guard let key, instances[index].primaryKeys[instance] != 0, !isRejected[record] else { continue }
            let target = target(index, instance)
            try known.append(key, target, record: recordNumber(batch, record))
            for resolver in looking { resolver.learn(key.bytes, target) }
        }
    }
}

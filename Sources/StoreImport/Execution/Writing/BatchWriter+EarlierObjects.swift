import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// To-one relationships that lead to objects of earlier records in the same batch. These objects did not exist when the
/// batch was prepared, but they do when the record is written, as if each record were read by itself.
///
/// This matters for objects that other records of the batch have as well, because it determines how those records are
/// counted. Other links are only looked up in memory, and wait if their destination is not found there.
extension BatchWriter {
    /// The instances of a batch whose to-one relationships are resolved again just before the instance is written. An
    /// instance is an object that a record of the batch describes.
    struct LateLooks {
        /// Whether there are any.
        var isNeeded = false
        /// The instances whose objects later instances of the batch change.
        fileprivate var leaders = Set<Int>()
        /// The instances that have a source key, by the bytes of the key.
        fileprivate var sourceKeys: [[UInt8]: [Int]]?
    }

    func lateLooks(_ current: ObjectInstances, of entity: EntityImport) -> LateLooks {
        var looks = LateLooks()
        looks.isNeeded = entity.object.toOnes.indices.contains { position in
            mayLookLate(position, of: entity)
                && (0..<current.count).contains {
                    current.toOneKeys[$0 * current.toOneCount + position] == ObjectInstances.waitingKey
                }
        }
        guard looks.isNeeded else { return looks }
        for instance in 0..<current.count where current.states[instance] == .follower {
            looks.leaders.insert(Int(current.leaders[instance]))
        }
        return looks
    }

    private func mayLookLate(_ position: Int, of entity: EntityImport) -> Bool {
        let relationship = entity.object.toOnes[position]
        return relationship.isKeyed && relationship.column != nil && !entity.relationships[position].waits
    }

    /// Resolves the to-one relationships of an instance whose destinations did not exist before.
    ///
    /// - Parameter update: what the instance changes in an existing object, to which the resolved relationships are
    ///   added.
    func lookLate(
        _ instance: Int, _ current: inout ObjectInstances, _ entity: EntityImport, _ batch: inout RecordBatch,
        _ looks: inout LateLooks, _ update: inout MatchedInstances.Update?
    ) throws {
        let state = current.states[instance]
        let isChanged =
            entity.object.onMatch == .update || entity.object.onMatch == .fill
            ? state == .unchanged || state == .follower || looks.leaders.contains(instance) : false
        guard isChanged || state == .open else { return }
        for position in entity.object.toOnes.indices where mayLookLate(position, of: entity) {
            let place = instance * current.toOneCount + position
            guard current.toOneKeys[place] == ObjectInstances.waitingKey,
                case .key(let target) = entity.object.toOnes[position].target,
                isChanged || resolvers[target.resolver].isSourceKey || resolvers[target.resolver].isCached,
                let found = try lookLate(target, instance, current, entity, &batch, &looks)
            else { continue }
            current.toOneKeys[place] = found.primaryKey
            current.toOneEntities[place] = found.entity
            current.toOnePresent[place] = true
            guard state == .unchanged else { continue }
            let primaryKey = current.primaryKeys[instance]
            let old = try entity.relationships[position].writer?.destination(of: primaryKey)
            guard entity.object.onMatch == .fill ? old == nil : old != found.primaryKey else { continue }
            let changes = (update?.changes ?? []).union([entity.object.attributes.count + position])
            update = MatchedInstances.Update(instance: instance, key: primaryKey, changes: changes)
        }
    }

    private func lookLate(
        _ target: CompiledKeyTarget, _ instance: Int, _ current: ObjectInstances, _ entity: EntityImport,
        _ batch: inout RecordBatch, _ looks: inout LateLooks
    ) throws -> KeyIndex.Target? {
        let (key, _) = try batch.key(
            target.parts, of: Int(current.records[instance]), node: Int(current.nodes[instance]))
        guard let key else { return nil }
        let resolver = resolvers[target.resolver]
        if resolver.isSourceKey {
            // Source keys of the batch are noted only when all of its objects are written.
            return earlierInstance(with: key, for: resolver, before: instance, current, entity, &looks).map {
                KeyIndex.Target(primaryKey: current.primaryKeys[$0], entity: current.entities[$0])
            }
        }
        if !resolver.isCached {
            for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
            try resolver.fetch([key])
        }
        return resolver.target(of: key.bytes)
    }

    /// Returns the first instance of the batch before another one that has a source key and an object; nil if there is
    /// none.
    private func earlierInstance(
        with key: ReferenceKey, for resolver: ReferenceResolver, before instance: Int, _ current: ObjectInstances,
        _ entity: EntityImport, _ looks: inout LateLooks
    ) -> Int? {
        let parts = entity.object.sourceKey.count
        guard parts == resolver.key.parts.count, layout.model.areRelated(entity.object.slot, resolver.slot) else {
            return nil
        }
        if looks.sourceKeys == nil {
            var known: [[UInt8]: [Int]] = [:]
            for (index, key) in current.sourceKeys.enumerated() {
                if let key { known[Array(key.bytes), default: []].append(index) }
            }
            looks.sourceKeys = known
        }
        return looks.sourceKeys?[Array(key.bytes)]?.first { earlier in
            earlier < instance && current.primaryKeys[earlier] != 0
                && !batchState.isRejected[Int(current.records[earlier])]
                && resolver.finds(
                    KeyIndex.Target(primaryKey: current.primaryKeys[earlier], entity: current.entities[earlier]))
        }
    }
}

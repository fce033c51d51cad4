import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// To-ones that lead to objects of earlier records of the batch: they were not there when the batch was looked at, and are
/// when their record is written, as if each record were read by itself.
///
/// It matters where an object has other records before or behind: how these are counted. Other links are looked for in
/// memory only, and wait if they are not there.
extension BatchWriter {
    /// The instances of a batch whose to-ones are looked at again when their turn comes.
    struct LateLooks {
        /// Whether there are any.
        var isNeeded = false
        /// Instances whose objects later ones of the batch change.
        fileprivate var leaders = Set<Int>()
        /// By the bytes of a source key, the instances that have it.
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

    /// Looks for the destinations of an instance that were not there before.
    ///
    /// - Parameter update: what the instance changes in an object that was there; it gets what is found.
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
            // Those of the batch are noted when all of its objects are written.
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

    /// The first instance of the batch before another one that has a source key, and an object.
    private func earlierInstance(
        with key: ReferenceKey, for resolver: ReferenceResolver, before instance: Int, _ current: ObjectInstances,
        _ entity: EntityImport, _ looks: inout LateLooks
    ) -> Int? {
        let parts = entity.object.sourceKey.count
        guard parts == resolver.key.parts.count, layout.model.isKind(entity.object.slot, of: resolver.slot) else {
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
        }
    }
}

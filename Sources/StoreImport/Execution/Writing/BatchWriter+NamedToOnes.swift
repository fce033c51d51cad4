import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Links of a batch to objects that may be removed when records are revoked.
extension BatchWriter {
    /// Notes the to-one relationships of a batch that lead to objects which may be removed when records are revoked.
    func noteNamedToOnes(_ source: SourceImport, _ batch: inout RecordBatch) throws {
        guard let unproven, !unproven.records.roots.isEmpty else { return }
        for entity in source.entities {
            let object = entity.object
            for (position, relationship) in object.toOnes.enumerated() {
                guard case .key(let target) = relationship.target else { continue }
                let root = layout.model.entities[target.slot].root
                guard unproven.records.roots.contains(root) else { continue }
                for instance in 0..<entity.instances.count {
                    let isLinked = mayLink(entity, instance)
                    let role = entity.relationships[position].role
                    guard isLinked || !role.isDisjoint(with: [.needed, .creating]),
                        // What a record names is created even if its own object is missing and skipped.
                        entity.instances.primaryKeys[instance] != 0 || role.contains(.creating),
                        !batchState.isRejected[Int(entity.instances.records[instance])]
                    else { continue }
                    let place = instance * object.toOnes.count + position
                    let destination = entity.instances.toOneKeys[place]
                    guard destination > 0, entity.instances.toOnePresent[place],
                        try unproven.records.makingRole(of: destination, root: root) != nil
                    else { continue }
                    let record = Int(entity.instances.records[instance])
                    let (key, _) = try batch.key(
                        target.parts, of: record, node: Int(entity.instances.nodes[instance]))
                    guard let key else { continue }
                    var link = pendingToOne(position, entity, instance, batch, key: key)
                    if !isLinked { link.role.insert(.checked) }
                    let found = KeyIndex.Target(
                        primaryKey: destination, entity: entity.instances.toOneEntities[place])
                    try session.settlement.noteNamed(link, leadingTo: found, target, isCounted: false)
                    batchState.waitingRecords.insert(record)
                }
            }
        }
    }
}

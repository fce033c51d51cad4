import ManagedObjectModels
import PersistentStores
import RecordSources

/// The to-many relationships of a batch's objects whose destinations are found by key.
extension BatchWriter {
    /// Notes the records as open that name required objects in lists. From then on, all changes of these records are
    /// noted.
    func noteOpenLists(_ entity: EntityImport, _ batch: RecordBatch) {
        guard unproven != nil else { return }
        let object = entity.object
        for (position, relationship) in object.toManys.enumerated() {
            guard case .key(let target) = relationship.target,
                isDemanding(target, entity.relationships[object.toOnes.count + position])
            else { continue }
            if entity.relationships[object.toOnes.count + position].isUnique {
                unproven?.constrainedRoots.insert(layout.model.entities[target.slot].root)
            }
            for instance in 0..<entity.instances.count
            where !entity.instances.lists[position].keys(of: instance).isEmpty {
                let record = Int(entity.instances.records[instance])
                if !batchState.isRejected[record] { log.open.insert(session.recordNumber(batch, record)) }
            }
        }
    }
}

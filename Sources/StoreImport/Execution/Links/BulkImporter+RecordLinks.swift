import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links between the objects that one record makes.
extension BulkImporter {
    /// Links the objects that one record makes.
    func linkInstances(
        _ index: Int, _ other: Int, _ slot: Int, _ sourceIndex: Int, _ batch: RecordBatch, isToMany: Bool
    ) throws {
        guard let writer = linkWriters[sourceIndex][index][slot] else { return }
        let object = sources[sourceIndex].objects[index]
        var related: Int64 = 0
        for (instance, targets) in self.related(index, other, sourceIndex).enumerated() {
            guard mayLink(index, instance, object), try !isFilled(slot, index, instance, sourceIndex, object) else {
                continue
            }
            let record = Int(instances[index].records[instance])
            let linked = targets.filter { instances[other].primaryKeys[$0] != 0 }
            if isToMany, !linked.isEmpty || namesNone(other, index, instance, sourceIndex, batch) {
                try noteOwner(slot, index, instance, sourceIndex, batch)
            }
            let number = recordNumber(batch, record)
            for (ordinal, target) in (isToMany ? linked : Array(linked.prefix(1))).enumerated() {
                let (owner, destination) = (self.target(index, instance), self.target(other, target))
                try replacements[sourceIndex][index][slot]?.note(
                    owner: owner.primaryKey, destination: destination.primaryKey, record: number, place: .null,
                    ordinal: Int64(ordinal))
                guard try loggingLink(number, writer, owner, destination) else { continue }
                related += 1
                noteCount(.related, object.slot, of: number)
                if obligations.matters[sourceIndex][index][slot] {
                    noteAffected(object.slot, owner.primaryKey, entity: owner.entity, of: number)
                    noteAffected(
                        sources[sourceIndex].objects[other].slot, destination.primaryKey, entity: destination.entity,
                        of: number)
                }
                if !isToMany, let inverse = inverseWriters[sourceIndex][index][slot] {
                    try loggingInverse(number, inverse, owner: owner, destination: destination.primaryKey)
                }
            }
        }
        if related > 0 {
            entityReports[object.entityName, default: .init(entity: object.entityName)].related += related
        }
    }

    /// Whether a record has the list whose items would be an object's destinations, and it is empty.
    private func namesNone(_ other: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch)
        -> Bool
    {
        guard let path = sources[sourceIndex].objects[other].records else { return true }
        guard let start = partStart(other, index, instance, sourceIndex, batch) else { return false }
        return path.leadsToEmptyArray(batch.nodes, from: start)
    }
}

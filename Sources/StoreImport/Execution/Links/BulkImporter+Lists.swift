/// The to-many relationships of a batch's objects by key.
extension BulkImporter {
    /// Notes the records that name objects which they cannot be without: what such a record changes is noted from here on.
    func noteOpenLists(_ index: Int, _ sourceIndex: Int, _ batch: RecordBatch) {
        guard openRecords != nil else { return }
        let object = sources[sourceIndex].objects[index]
        for (position, relationship) in object.toManys.enumerated() {
            guard case .key(let target) = relationship.target,
                isDemanding(target, relationship, index, object.toOnes.count + position, sourceIndex)
            else { continue }
            for instance in 0..<instances[index].count
            where !instances[index].lists[position].keys(of: instance).isEmpty {
                let record = Int(instances[index].records[instance])
                if !isRejected[record] { log.open.insert(recordNumber(batch, record)) }
            }
        }
    }
}

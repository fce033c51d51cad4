/// Which objects of a record belong to each other.
extension ImportSession {
    /// For each instance of one mapping the instances of another that belong to it: those in the same part of the
    /// record.
    func related(_ entity: EntityImport, _ other: EntityImport) -> [[Int]] {
        let (source, entities) = (entity.source.compiled, entity.source.entities)
        let common = source.ancestors(of: entity.index).first { source.ancestors(of: other.index).contains($0) }
        /// The instance of the common mapping, or else the record.
        func place(_ mapping: Int, _ instance: Int) -> Int32 {
            guard let common else { return entities[mapping].instances.records[instance] }
            var (mapping, instance) = (mapping, Int32(truncatingIfNeeded: instance))
            while mapping != common, let parent = source.objects[mapping].parent {
                instance = entities[mapping].instances.parents[Int(instance)]
                mapping = parent
            }
            return instance
        }
        var byPlace: [Int32: [Int]] = [:]
        for instance in 0..<other.instances.count {
            byPlace[place(other.index, instance), default: []].append(instance)
        }
        return (0..<entity.instances.count).map { byPlace[place(entity.index, $0)] ?? [] }
    }

    /// The node in which the parts of another mapping lie that belong to an instance; nil if they lie in several.
    func partStart(_ other: EntityImport, _ entity: EntityImport, _ instance: Int, _ batch: RecordBatch) -> Int? {
        let (source, entities) = (entity.source.compiled, entity.source.entities)
        var (mapping, instance) = (entity.index, instance)
        let record = Int(entities[mapping].instances.records[instance])
        if let parent = other.object.parent {
            guard source.ancestors(of: entity.index).contains(parent) else { return nil }
            while mapping != parent, let next = source.objects[mapping].parent {
                instance = Int(entities[mapping].instances.parents[instance])
                mapping = next
            }
            let node = Int(entities[mapping].instances.nodes[instance])
            if node >= 0 { return node }
        }
        let root = Int(batch[record].rootNode)
        return root >= 0 ? root : nil
    }
}

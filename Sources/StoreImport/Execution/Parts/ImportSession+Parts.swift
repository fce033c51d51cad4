import RecordSources

/// The relation between the objects of a record.
extension ImportSession {
    /// Returns, for each instance of a mapping, the related instances of another mapping: those in the same part of the
    /// record.
    func related(_ entity: EntityImport, _ other: EntityImport) -> [[Int]] {
        let (source, entities) = (entity.source.compiled, entity.source.entities)
        let common = source.ancestors(of: entity.index).first { source.ancestors(of: other.index).contains($0) }
        /// Returns the instance of the common mapping, or else the record.
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

    /// Returns the node that contains the parts of another mapping which belong to an instance; nil if several nodes
    /// contain them.
    func partStart(_ other: EntityImport, _ entity: EntityImport, _ instance: Int, _ batch: RecordBatch) -> Int? {
        let entities = entity.source.entities
        let record = Int(entity.instances.records[instance])
        return entity.source.compiled.partStart(
            of: other.object, for: (entity.index, instance), root: Int(batch[record].rootNode)
        ) { mapping, instance in
            (Int(entities[mapping].instances.nodes[instance]), Int(entities[mapping].instances.parents[instance]))
        }
    }
}

extension CompiledSource {
    /// Returns the node at which the paths of an object mapping begin, for an instance of another mapping; nil if there
    /// are several.
    ///
    /// - Parameters:
    ///   - root: the node of the record; negative if it has none.
    ///   - look: returns the node and the parent of an instance.
    func partStart(
        of other: CompiledObject, for place: (mapping: Int, instance: Int), root: Int,
        _ look: (_ mapping: Int, _ instance: Int) -> (node: Int, parent: Int)
    ) -> Int? {
        if let parent = other.parent {
            guard ancestors(of: place.mapping).contains(parent) else { return nil }
            var (mapping, instance) = place
            while mapping != parent, let next = objects[mapping].parent {
                instance = look(mapping, instance).parent
                mapping = next
            }
            let node = look(mapping, instance).node
            if node >= 0 { return node }
        }
        return root >= 0 ? root : nil
    }
}

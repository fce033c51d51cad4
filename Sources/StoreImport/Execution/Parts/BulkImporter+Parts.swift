/// Which objects of a record belong to each other.
extension BulkImporter {
    /// For each instance of one mapping the instances of another that belong to it: those in the same part of the
    /// record.
    func related(_ index: Int, _ other: Int, _ sourceIndex: Int) -> [[Int]] {
        let source = sources[sourceIndex]
        let common = source.ancestors(of: index).first { source.ancestors(of: other).contains($0) }
        /// The instance of the common mapping, or else the record.
        func place(_ mapping: Int, _ instance: Int) -> Int32 {
            guard let common else { return instances[mapping].records[instance] }
            var (mapping, instance) = (mapping, Int32(truncatingIfNeeded: instance))
            while mapping != common, let parent = source.objects[mapping].parent {
                instance = instances[mapping].parents[Int(instance)]
                mapping = parent
            }
            return instance
        }
        var byPlace: [Int32: [Int]] = [:]
        for instance in 0..<instances[other].count { byPlace[place(other, instance), default: []].append(instance) }
        return (0..<instances[index].count).map { byPlace[place(index, $0)] ?? [] }
    }

    /// The node in which the parts of another mapping lie that belong to an instance; nil if they lie in several.
    func partStart(_ other: Int, _ index: Int, _ instance: Int, _ sourceIndex: Int, _ batch: RecordBatch) -> Int? {
        let source = sources[sourceIndex]
        var (mapping, instance) = (index, instance)
        let record = Int(instances[mapping].records[instance])
        if let parent = source.objects[other].parent {
            guard source.ancestors(of: index).contains(parent) else { return nil }
            while mapping != parent, let next = source.objects[mapping].parent {
                instance = Int(instances[mapping].parents[instance])
                mapping = next
            }
            let node = Int(instances[mapping].nodes[instance])
            if node >= 0 { return node }
        }
        let root = Int(batch[record].rootNode)
        return root >= 0 ? root : nil
    }
}

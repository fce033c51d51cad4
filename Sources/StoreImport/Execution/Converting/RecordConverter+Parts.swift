import RecordSources

/// The parts of records that become objects.
extension RecordConverter {
    /// Adds an instance for each part that the filter accepts, within the parent mapping's parts or within the record.
    ///
    /// - Parameter firstParent: the index of the parent mapping's first instance that may belong to this record or a
    ///   later one.
    func appendParts(
        of record: Int, _ object: CompiledObject, firstParent: inout Int, _ instances: inout ObjectInstances,
        _ work: inout ConvertedBatch
    ) {
        guard let parent = object.parent else {
            return appendParts(of: record, from: -1, parent: -1, object, &instances, &work)
        }
        while firstParent < work.instances[parent].count, Int(work.instances[parent].records[firstParent]) < record {
            firstParent += 1
        }
        while firstParent < work.instances[parent].count, Int(work.instances[parent].records[firstParent]) == record {
            let node = Int(work.instances[parent].nodes[firstParent])
            appendParts(of: record, from: node, parent: firstParent, object, &instances, &work)
            firstParent += 1
        }
    }

    private func appendParts(
        of record: Int, from node: Int, parent: Int, _ object: CompiledObject, _ instances: inout ObjectInstances,
        _ work: inout ConvertedBatch
    ) {
        var nodes = [node]
        if let path = object.records {
            nodes.removeAll()
            let start = node >= 0 ? node : Int(work.batch[record].rootNode)
            if start >= 0 {
                path.visit(work.batch.nodes, from: start) { node in
                    if !work.batch.nodes[node].isNull { nodes.append(node) }
                    return true
                }
            }
        }
        for node in nodes {
            if let filter = object.filter, !filter.accepts(record, node, &work.batch) { continue }
            instances.append(record: record, node: node, parent: parent)
        }
    }
}

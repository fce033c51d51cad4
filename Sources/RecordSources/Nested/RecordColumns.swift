/// The paths whose values are the fields of nested records, with a fast way for paths that are a single name.
struct RecordColumns {
    private let paths: [RecordPath]
    /// For each number of a name, the path that consists of this name alone; -1 for none.
    private var slots: [Int32] = []
    /// The paths that must be followed step by step.
    private var others: [Int] = []

    init(_ paths: [RecordPath]) {
        self.paths = paths
        for (index, path) in paths.enumerated() {
            guard case .child(let symbol) = path.steps.first, path.steps.count == 1, !path.endsInText, !path.endsInKey,
                symbol >= 0
            else {
                others.append(index)
                continue
            }
            while slots.count <= Int(symbol) { slots.append(-1) }
            if slots[Int(symbol)] < 0 { slots[Int(symbol)] = Int32(index) } else { others.append(index) }
        }
    }

    var count: Int { paths.count }

    /// Adds the fields of a record with a root node; missing fields if it has no root.
    func append(to batch: inout RecordBatch, from node: Int?) {
        let first = batch.fieldCount
        batch.appendMissingFields(paths.count)
        guard let node else { return }
        if !others.isEmpty {
            for index in others { batch.fields[first + index] = paths[index].field(batch.nodes, from: node) }
        }
        guard batch.nodes[node].kind == .object, others.count < paths.count else { return }
        fill(&batch.fields, from: first, with: node, of: batch.nodes)
    }

    /// Fills the fields whose paths are single names with the children of an object.
    private func fill(
        _ fields: inout [RecordField], from first: Int, with object: Int, of nodes: borrowing [RecordNode]
    ) {
        let nodes = nodes.span
        let slots = slots.span
        var fields = fields.mutableSpan
        var child = Int(nodes[object].firstChild)
        while child >= 0 {
            let found = nodes[child]
            let symbol = Int(found.symbol)
            // Several elements of one name are not a single value. If a JSON object may have a repeated key, its first
            // value is used.
            if symbol >= 0, symbol < slots.count, slots[symbol] >= 0 {
                let place = first + Int(slots[symbol])
                if fields[place] == .missing {
                    fields[place] = found.isLeaf ? found.value : RecordField(.node, start: child, length: 0)
                } else if found.name.kind != .quoted {
                    fields[place] = RecordField(.node, start: child, length: 0)
                }
            }
            child = Int(found.nextSibling)
        }
    }
}

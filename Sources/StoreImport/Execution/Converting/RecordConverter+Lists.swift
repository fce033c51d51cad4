/// The to-many relationships by key: converted with all other values, so that a bad one rejects its record before
/// anything of it is written.
extension RecordConverter {
    func convertLists(of object: CompiledObject, _ instances: inout ObjectInstances, _ work: inout ConvertedBatch) {
        if instances.lists.count != object.toManys.count {
            instances.lists = object.toManys.map { ReferenceLists(of: $0) }
        }
        var fields = ListFields()
        for (position, relationship) in object.toManys.enumerated() {
            guard case .key(let target) = relationship.target else { continue }
            for instance in 0..<instances.count {
                let record = Int(instances.records[instance])
                guard !work.isRejected[record] else {
                    instances.lists[position].abandonList()
                    continue
                }
                do throws(ReferenceFailure) {
                    try fields.append(
                        target, record, Int(instances.nodes[instance]), &work.batch, to: &instances.lists[position])
                } catch {
                    instances.lists[position].abandonList()
                    work.refuse(record, error.rejection(name, object, relationship))
                }
            }
        }
    }
}

/// The values that a record has for the parts of a list's keys; the memory is used again for the next record.
private struct ListFields {
    private var columns: [[RecordField]] = []
    private var unsplit: [RecordField] = []

    /// Adds the keys of a record: the parts of a separated text, or every value of a path.
    mutating func append(
        _ target: CompiledKeyTarget, _ record: Int, _ node: Int, _ batch: inout RecordBatch,
        to lists: inout ReferenceLists
    ) throws(ReferenceFailure) {
        // Parts that are read through a span are not copied.
        let parts = target.parts.span
        guard !parts.isEmpty else { return lists.abandonList() }
        while columns.count < parts.count { columns.append([]) }
        var (count, isPresent) = (0, false)
        for part in parts.indices {
            read(parts[part].origin, target.separator, record, node, &batch, part)
            count = max(count, columns[part].count)
            if columns[part].contains(where: { $0.kind != .missing }) { isPresent = true }
        }
        for place in 0..<count {
            for part in parts.indices {
                let field =
                    place < columns[part].count
                    // A value that stands only once is a part of all keys.
                    ? columns[part][place] : columns[part].count == 1 ? columns[part][0] : .missing
                lists.append(try parts[part].value(of: field, in: &batch))
            }
        }
        lists.endList(isPresent: isPresent || Self.isEmptyList(parts[0].origin, record, node, batch))
    }

    /// Takes the fields of a part of the keys.
    private mutating func read(
        _ origin: CompiledOrigin, _ separator: [UInt8]?, _ record: Int, _ node: Int, _ batch: inout RecordBatch,
        _ part: Int
    ) {
        columns[part].removeAll(keepingCapacity: true)
        unsplit.removeAll(keepingCapacity: true)
        if case .path(let path) = origin {
            let start = node >= 0 ? node : Int(batch[record].rootNode)
            if start >= 0 {
                path.visit(batch.nodes, from: start) { found in
                    unsplit.append(path.value(batch.nodes, at: found))
                    return true
                }
            }
        } else {
            unsplit.append(origin.field(record, node, &batch))
        }
        guard let separator, !separator.isEmpty else { return swap(&columns[part], &unsplit) }
        for field in unsplit { Self.split(field, by: separator.span, batch.arena.span, into: &columns[part]) }
    }

    /// Whether a record has the list that a path leads into, and nothing is in it.
    private static func isEmptyList(
        _ origin: CompiledOrigin, _ record: Int, _ node: Int, _ batch: borrowing RecordBatch
    ) -> Bool {
        guard case .path(let path) = origin else { return false }
        let start = node >= 0 ? node : Int(batch[record].rootNode)
        return start >= 0 && path.leadsToEmptyArray(batch.nodes, from: start)
    }

    private static func split(
        _ field: RecordField, by separator: Span<UInt8>, _ arena: Span<UInt8>, into parts: inout [RecordField]
    ) {
        guard !field.isAbsent, field.kind != .node else { return parts.append(field) }
        var (start, place) = (field.start, field.start)
        let end = field.start + field.length
        while place < end {
            if arena[place] == separator[0], isSeparator(separator, arena.extracting(place..<end)) {
                parts.append(RecordField(.text, start: start, length: place - start))
                place += separator.count
                start = place
            } else {
                place += 1
            }
        }
        parts.append(RecordField(.text, start: start, length: end - start))
    }

    /// Whether bytes begin with a separator.
    @inline(__always)
    private static func isSeparator(_ separator: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        guard separator.count <= bytes.count else { return false }
        for index in separator.indices where separator[index] != bytes[index] { return false }
        return true
    }
}

import SQLiteAccess

/// The to-many relationships of a batch's objects by key: converted before anything is written, so that a bad one
/// rejects its record.
extension BulkImporter {
    func convertKeys(
        _ index: Int, _ sourceIndex: Int, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let object = sources[sourceIndex].objects[index]
        instances[index].lists = [[ReferenceList]](repeating: [], count: object.toManys.count)
        for (position, relationship) in object.toManys.enumerated() {
            guard case .key(let target) = relationship.target else { continue }
            instances[index].lists[position].reserveCapacity(instances[index].count)
            for instance in 0..<instances[index].count {
                let record = Int(instances[index].records[instance])
                var list = ReferenceList.absent
                if !isRejected[record] {
                    do {
                        list = try self.list(target, record, Int(instances[index].nodes[instance]), &batch)
                    } catch let failure as ReferenceFailure {
                        try reject(record, of: batch, name, &report, failure.rejection(name, object, relationship))
                    }
                }
                instances[index].lists[position].append(list)
                // What the record changes is noted from here on.
                if openRecords != nil, !list.keys.isEmpty, !isRejected[record],
                    isDemanding(target, relationship, index, object.toOnes.count + position, sourceIndex)
                {
                    log.open.insert(recordNumber(batch, record))
                }
            }
        }
    }

    /// The keys of a to-many: the parts of a separated text, or every value of a path.
    private func list(
        _ target: CompiledKeyTarget, _ record: Int, _ node: Int, _ batch: inout RecordBatch
    ) throws -> ReferenceList {
        guard let first = target.parts.first else { return .absent }
        let columns = target.parts.map { fields($0, target.separator, record, node, &batch) }
        let isPresent =
            columns.contains { $0.contains { $0.kind != .missing } }
            || isEmptyList(first.origin, record, node, batch)
        var keys: [ReferenceKey] = []
        for place in 0..<(columns.map(\.count).max() ?? 0) {
            var values: [SQLiteValue] = []
            for (part, column) in zip(target.parts, columns) {
                // A value that stands only once is a part of all keys.
                let field = place < column.count ? column[place] : column.count == 1 ? column[0] : .missing
                values.append(try value(of: field, part, &batch))
            }
            if let key = ReferenceKey(values) { keys.append(key) }
        }
        return ReferenceList(isPresent: isPresent, keys: keys)
    }

    private func fields(
        _ part: CompiledKeyTarget.Part, _ separator: [UInt8]?, _ record: Int, _ node: Int, _ batch: inout RecordBatch
    ) -> [RecordField] {
        var found: [RecordField] = []
        if case .path(let path) = part.origin {
            let start = node >= 0 ? node : Int(batch[record].rootNode)
            if start >= 0 {
                path.visit(batch.nodes, from: start) {
                    found.append(path.value(batch.nodes, at: $0)); return true
                }
            }
        } else {
            found.append(field(part.origin, record, node, &batch))
        }
        guard let separator, !separator.isEmpty else { return found }
        return found.flatMap { split($0, by: separator, batch) }
    }

    /// Whether a record has the list that a path leads into, and nothing is in it.
    func isEmptyList(_ origin: CompiledOrigin, _ record: Int, _ node: Int, _ batch: RecordBatch) -> Bool {
        guard case .path(let path) = origin else { return false }
        let start = node >= 0 ? node : Int(batch[record].rootNode)
        return start >= 0 && path.leadsToEmptyArray(batch.nodes, from: start)
    }

    private func split(_ field: RecordField, by separator: [UInt8], _ batch: RecordBatch) -> [RecordField] {
        guard !field.isAbsent, field.kind != .node else { return [field] }
        var parts: [RecordField] = []
        var start = field.start
        var place = field.start
        let end = field.start + field.length
        while place < end {
            if place + separator.count <= end, batch.arena[place..<place + separator.count].elementsEqual(separator) {
                parts.append(RecordField(.text, start: start, length: place - start))
                place += separator.count
                start = place
            } else {
                place += 1
            }
        }
        parts.append(RecordField(.text, start: start, length: end - start))
        return parts
    }
}

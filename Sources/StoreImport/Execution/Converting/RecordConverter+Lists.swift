import RecordConversion
import RecordSources
import SQLiteAccess

/// The to-many relationships by key: converted with all other values, so that a bad one rejects its record before
/// anything of it is written.
extension RecordConverter {
    func convertLists(of object: CompiledObject, _ instances: inout ObjectInstances, _ work: inout ConvertedBatch) {
        prepareLists(of: object, &instances)
        for position in object.toManys.indices { convertList(position, of: object, &instances, &work) }
    }

    /// Makes room for the lists of an object mapping.
    func prepareLists(of object: CompiledObject, _ instances: inout ObjectInstances) {
        guard instances.lists.count != object.toManys.count else { return }
        instances.lists = object.toManys.map { ReferenceLists(of: $0) }
    }

    /// The lists of one relationship.
    func convertList(
        _ position: Int, of object: CompiledObject, _ instances: inout ObjectInstances, _ work: inout ConvertedBatch
    ) {
        guard case .key(let target) = object.toManys[position].target else { return }
        if target.parts.count == 1, let separator = target.separator, !separator.isEmpty,
            case .field(let column) = target.parts[0].origin
        {
            let list = SeparatedList(column: column, separator: separator, part: target.parts[0])
            return convert(list, of: object, position, &instances, &work)
        }
        var fields = ListFields()
        for instance in 0..<instances.count {
            let record = Int(instances.records[instance])
            guard !work.isRejected[record] else {
                instances.lists[position].abandonList()
                continue
            }
            do throws(RejectionReason) {
                try fields.append(
                    target, record, Int(instances.nodes[instance]), &work.batch, to: &instances.lists[position])
            } catch {
                instances.lists[position].abandonList()
                work.refuse(record, error.of(object, object.toManys[position].name))
            }
        }
    }
}

extension RecordConverter {
    /// The lists of a column, whose keys are one value each.
    private func convert(
        _ list: SeparatedList, of object: CompiledObject, _ position: Int, _ instances: inout ObjectInstances,
        _ work: inout ConvertedBatch
    ) {
        // Taken out meanwhile, so that each is changed by itself.
        var lists = ReferenceLists(partCount: 1)
        swap(&lists, &instances.lists[position])
        defer { swap(&lists, &instances.lists[position]) }
        for instance in 0..<instances.count {
            let record = Int(instances.records[instance])
            guard !work.isRejected[record] else {
                lists.abandonList()
                continue
            }
            do throws(RejectionReason) {
                try list.append(record, &work.batch, to: &lists)
            } catch {
                lists.abandonList()
                work.refuse(record, error.of(object, object.toManys[position].name))
            }
        }
    }
}

/// A column that names objects by one value each, separated by a text.
private struct SeparatedList {
    let column: Int
    let separator: [UInt8]
    let part: CompiledKeyTarget.Part

    /// Adds the keys of a record.
    @inline(__always)
    func append(
        _ record: Int, _ batch: inout RecordBatch, to lists: inout ReferenceLists
    ) throws(RejectionReason) {
        let field = batch.field(column, of: record)
        guard SeparatedText.isDivided(field) else {
            lists.append(try part.value(of: field, in: &batch))
            return lists.endList(isPresent: field.kind != .missing)
        }
        let end = field.start + field.length
        var start = field.start
        while true {
            let next = SeparatedText.end(of: start..<end, separator.span, batch.arena.span)
            // The range of a text is its value, unless something is to be left out or is NULL.
            if part.conversion.takesTextsAsTheyAre, next > start,
                !part.conversion.nullTokenStarts.contains(batch.arena[start])
            {
                lists.append(.text(ArenaRange(start: start, count: next - start)))
            } else {
                lists.append(
                    try part.value(of: RecordField(.text, start: start, length: next - start), in: &batch))
            }
            guard next < end else { break }
            start = next + separator.count
        }
        lists.endList(isPresent: true)
    }
}

extension ValueConversion {
    /// Whether a text that has characters and stands for itself is its own value.
    fileprivate var takesTextsAsTheyAre: Bool { target == .string && !trims }
}

/// A text that separators divide.
private enum SeparatedText {
    /// Whether a value is a text of the source; numbers and bytes of a database are one key each.
    @inline(__always)
    static func isDivided(_ field: RecordField) -> Bool {
        switch field.kind {
        case .text, .quoted, .number, .boolean: true
        case .null, .missing, .integer, .real, .date, .blob, .node, .failure: false
        }
    }

    /// Where the next separator begins, or the text ends.
    @inline(__always)
    static func end(of range: Range<Int>, _ separator: Span<UInt8>, _ arena: Span<UInt8>) -> Int {
        var place = range.lowerBound
        while place < range.upperBound {
            if arena[place] == separator[0],
                isSeparator(separator, arena.extracting(place..<range.upperBound))
            {
                return place
            }
            place += 1
        }
        return place
    }

    /// Whether bytes begin with a separator.
    @inline(__always)
    private static func isSeparator(_ separator: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        guard separator.count <= bytes.count else { return false }
        for index in separator.indices where separator[index] != bytes[index] { return false }
        return true
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
    ) throws(RejectionReason) {
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
        return start >= 0 && path.leadsToEmptyList(batch.nodes, from: start)
    }

    private static func split(
        _ field: RecordField, by separator: Span<UInt8>, _ arena: Span<UInt8>, into parts: inout [RecordField]
    ) {
        guard SeparatedText.isDivided(field) else { return parts.append(field) }
        let end = field.start + field.length
        var start = field.start
        while true {
            let next = SeparatedText.end(of: start..<end, separator, arena)
            parts.append(RecordField(.text, start: start, length: next - start))
            guard next < end else { return }
            start = next + separator.count
        }
    }
}

import RecordConversion
import RecordSources
import SQLiteAccess

/// To-many relationships by key are converted together with all other values, so that an invalid key rejects its record
/// before any part of the record is written.
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

    /// Converts the lists of a relationship.
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
    /// Converts the lists in a column, if each key is a single value.
    private func convert(
        _ list: SeparatedList, of object: CompiledObject, _ position: Int, _ instances: inout ObjectInstances,
        _ work: inout ConvertedBatch
    ) {
        // The lists are temporarily moved out of the instances, so that each can be changed separately.
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

/// A column that contains lists of keys with a single value each, divided by a separator.
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
            // The value is a range of the text, unless white space must be removed or it stands for NULL.
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
    /// Whether a non-empty text is its own value, unless it stands for NULL.
    fileprivate var takesTextsAsTheyAre: Bool { target == .string && !trims }
}

/// A text that contains separators.
private enum SeparatedText {
    /// Returns whether a value is a text of the source; a number or blob of a database is a single key.
    @inline(__always)
    static func isDivided(_ field: RecordField) -> Bool {
        switch field.kind {
        case .text, .quoted, .number, .boolean: true
        case .null, .missing, .integer, .real, .date, .blob, .node, .failure: false
        }
    }

    /// Returns the offset of the next separator, or the end of the text.
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

    /// Returns whether bytes begin with a separator.
    @inline(__always)
    private static func isSeparator(_ separator: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        guard separator.count <= bytes.count else { return false }
        for index in separator.indices where separator[index] != bytes[index] { return false }
        return true
    }
}

/// The values of a record for the components of a list's keys; the memory is reused for the next record.
private struct ListFields {
    private var columns: [[RecordField]] = []
    private var unsplit: [RecordField] = []

    /// Adds the keys of a record: the parts of a separated text, or all values of a path.
    mutating func append(
        _ target: CompiledKeyTarget, _ record: Int, _ node: Int, _ batch: inout RecordBatch,
        to lists: inout ReferenceLists
    ) throws(RejectionReason) {
        // Components that are read through a span are not copied.
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
                    // A component with only one value is part of all keys.
                    ? columns[part][place] : columns[part].count == 1 ? columns[part][0] : .missing
                lists.append(try parts[part].value(of: field, in: &batch))
            }
        }
        lists.endList(isPresent: isPresent || Self.isEmptyList(parts[0].origin, record, node, batch))
    }

    /// Reads the fields of a component of the keys.
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

    /// Returns whether a record has the list to which a path leads, and the list is empty.
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

import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// The encoding of a batch's objects in a spool, after all records have been converted and before objects are looked
/// up.
extension ObjectInstances {
    func encode(into encoder: inout SpoolEncoder) {
        encoder.append(count: count)
        encoder.append(atMost: records.count) { output in
            var before = 0
            for record in records {
                output.append(count: Int(record) - before)
                before = Int(record)
            }
        }
        let arePlain = nodes.allSatisfy { $0 < 0 } && parents.allSatisfy { $0 < 0 }
        encoder.append(count: arePlain ? 0 : 1)
        if !arePlain {
            for instance in 0..<count {
                encoder.append(count: Int(nodes[instance]) + 1)
                encoder.append(count: Int(parents[instance]) + 1)
            }
        }
        var place = 0
        encoder.append(atMost: cells.count * ArenaValue.numberCount) { output in
            place = Self.encode(cells.span, behind: place, into: &output)
        }
        let absent = cellPresent.count(where: { !$0 })
        encoder.append(count: absent)
        if absent > 0 {
            for (place, isPresent) in cellPresent.enumerated() where !isPresent { encoder.append(count: place) }
        }
        encoder.append(count: unfilled.count(where: { $0 >= 0 }))
        for (instance, position) in unfilled.enumerated() where position >= 0 {
            encoder.append(count: instance)
            encoder.append(count: Int(position))
        }
        encoder.append(count: files.count)
        for (place, file) in files.sorted(by: { $0.key < $1.key }) {
            encoder.append(count: place)
            encoder.append(bytes: file.name)
            encoder.append(count: file.size)
        }
        encoder.append(atMost: toOneCells.count * ArenaValue.numberCount) { output in
            for index in toOneCells.indices {
                if toOneConverted[index] {
                    toOneCells[index].encode(behind: &place, into: &output)
                } else {
                    output.append(number: ArenaValue.unconverted)
                }
            }
        }
        encoder.append(count: lists.count)
        for list in lists { list.encode(behind: &place, into: &encoder) }
    }

    /// Encodes values. This function is static, so that the compiler knows that writing cannot change the arrays of
    /// instances.
    ///
    /// - Returns: the end of the bytes of the last value.
    private static func encode(
        _ cells: Span<ArenaValue>, behind start: Int, into output: inout OutputSpan<UInt8>
    ) -> Int {
        var place = start
        for index in cells.indices { cells[index].encode(behind: &place, into: &output) }
        return place
    }

    /// - Parameter parents: the number of instances of the enclosing object mapping; nil if there is none.
    mutating func decode(
        from decoder: inout SpoolDecoder, _ object: CompiledObject, parents parentCount: Int?, in batch: RecordBatch
    ) throws(SpoolDecoder.Fault) {
        removeAll()
        let total = try decoder.count()
        var found: [Int32] = []
        found.reserveCapacity(total)
        var record = 0
        for _ in 0..<total {
            guard batch.count > 0 else { throw decoder.fault }
            record += try decoder.count(atMost: batch.count - 1 - record)
            found.append(Int32(truncatingIfNeeded: record))
        }
        append(records: found)
        if try decoder.flag() {
            for instance in 0..<total {
                nodes[instance] = Int32(truncatingIfNeeded: try decoder.count(atMost: batch.nodes.count) - 1)
                parents[instance] = Int32(truncatingIfNeeded: try decoder.count(atMost: parentCount ?? 0) - 1)
            }
        }
        // Every part of a part has an enclosing part.
        guard parentCount == nil || parents.allSatisfy({ $0 >= 0 }) else { throw decoder.fault }
        var place = 0
        var unused: [Bool] = []
        try decoder.fill(&cells, &unused, behind: &place, arenaCount: batch.arena.count)
        for _ in 0..<(try decoder.count()) {
            guard !cells.isEmpty else { throw decoder.fault }
            cellPresent[try decoder.count(atMost: cells.count - 1)] = false
        }
        for _ in 0..<(try decoder.count()) {
            guard total > 0, attributeCount > 0 else { throw decoder.fault }
            let instance = try decoder.count(atMost: total - 1)
            unfilled[instance] = Int32(truncatingIfNeeded: try decoder.count(atMost: attributeCount - 1))
        }
        try decodeFiles(from: &decoder, object)
        try decoder.fill(&toOneCells, &toOneConverted, behind: &place, arenaCount: batch.arena.count)
        try decodeLists(from: &decoder, object, &place, batch)
    }

    private mutating func decodeFiles(
        from decoder: inout SpoolDecoder, _ object: CompiledObject
    ) throws(SpoolDecoder.Fault) {
        for _ in 0..<(try decoder.count()) {
            guard !cells.isEmpty else { throw decoder.fault }
            let place = try decoder.count(atMost: cells.count - 1)
            let name = Array(try decoder.data())
            let size = try decoder.count(atMost: Int(Int32.max))
            guard let naming = object.attributes[place % attributeCount].fileNaming else { throw decoder.fault }
            files[place] = BinaryFile(name, of: size, in: naming.folder)
        }
    }

    private mutating func decodeLists(
        from decoder: inout SpoolDecoder, _ object: CompiledObject, _ place: inout Int, _ batch: RecordBatch
    ) throws(SpoolDecoder.Fault) {
        let listCount = try decoder.count(atMost: object.toManys.count)
        guard listCount == object.toManys.count else { throw decoder.fault }
        lists = object.toManys.map { ReferenceLists(of: $0) }
        for (position, relationship) in object.toManys.enumerated() {
            try lists[position].decode(
                from: &decoder, instances: relationship.isKeyed ? count : 0, behind: &place,
                arenaCount: batch.arena.count)
        }
    }
}

extension ArenaValue {
    /// The marker for a value that the writer must convert.
    static var unconverted: UInt64 { 5 }

    /// The largest number of numbers for a value in a spool.
    static let numberCount = 2

    /// Encodes a value: its kind with the length of its bytes; then its number, or its place as the distance from the
    /// end of the value before.
    @inline(__always)
    func encode(behind place: inout Int, into output: inout OutputSpan<UInt8>) {
        switch self {
        case .null: output.append(count: 0)
        case .integer(let number):
            output.append(count: 1)
            output.append(signed: Int(number))
        case .real(let number):
            output.append(count: 2)
            output.append(bits: number.bitPattern)
        case .text(let range): output.append(range, as: 3, behind: &place)
        case .blob(let range): output.append(range, as: 4, behind: &place)
        }
    }
}

extension OutputSpan where Element == UInt8 {
    @inline(__always)
    fileprivate mutating func append(_ range: ArenaRange, as tag: Int, behind place: inout Int) {
        append(count: range.count << 3 | tag)
        append(signed: range.start - place)
        place = range.start + range.count
    }
}

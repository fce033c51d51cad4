import RecordSources

/// The records of a batch in a spool (docs/format/spools.md#batches).
extension RecordBatch {
    /// Adds the records, their bytes and their values.
    func encode(into encoder: inout SpoolEncoder) {
        encoder.append(count: count)
        for position in [start, end] {
            encoder.append(count: position.byteOffset)
            encoder.append(count: position.line)
            encoder.append(count: position.record)
        }
        encoder.append(bytes: arena)
        encoder.append(count: original == nil ? 0 : 1)
        if let original { encoder.append(bytes: original) }
        encoder.append(count: namespaces.count)
        for (prefix, namespace) in namespaces.sorted(by: { $0.key < $1.key }) {
            encoder.append(prefix)
            encoder.append(namespace)
        }
        encoder.append(count: nodes.count)
        var place = 0
        encoder.append(atMost: nodes.count * RecordNode.numberCount) { output in
            for (index, node) in nodes.enumerated() { node.encode(at: index, behind: &place, into: &output) }
        }
        encoder.append(count: problems.count)
        for problem in problems { problem.encode(into: &encoder) }
        encodeEntries(into: &encoder)
    }

    private func encodeEntries(into encoder: inout SpoolEncoder) {
        let fieldTotal = entries[..<count].reduce(0) { $0 + Int($1.fieldCount) }
        encoder.append(atMost: count * RecordEntry.numberCount + fieldTotal * RecordField.numberCount) { output in
            var before = (line: start.line, offset: start.byteOffset, arena: 0, field: 0)
            for record in 0..<count {
                let entry = entries[record]
                output.append(signed: entry.line - before.line)
                output.append(signed: entry.sourceOffset - before.offset)
                output.append(count: Int(entry.sourceLength))
                output.append(signed: Int(entry.arenaStart) - before.arena)
                output.append(signed: Int(entry.arenaLength) - Int(entry.sourceLength))
                output.append(count: Int(entry.rootNode) + 1)
                output.append(count: Int(entry.problemIndex) + 1)
                output.append(count: Int(entry.fieldCount))
                let first = Int(entry.firstField)
                for field in first..<first + Int(entry.fieldCount) {
                    fields[field].encode(behind: &before.field, into: &output)
                }
                before = (
                    entry.line, entry.sourceOffset + Int(entry.sourceLength),
                    Int(entry.arenaStart) + Int(entry.arenaLength), before.field
                )
            }
        }
    }

    /// Fills the batch with what `encode` added, all of it checked.
    mutating func decode(from decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) {
        removeAll()
        let recordCount = try decoder.count()
        start = try Self.position(from: &decoder)
        end = try Self.position(from: &decoder)
        arena.append(contentsOf: try decoder.data())
        // Places in the arena have 32 bits.
        guard arena.count <= Int(UInt32.max) else { throw decoder.fault }
        original = try decoder.flag() ? Array(try decoder.data()) : nil
        namespaces = [:]
        for _ in 0..<(try decoder.count()) {
            let prefix = try decoder.text()
            namespaces[prefix] = try decoder.text()
        }
        let nodeCount = try decoder.count()
        var place = 0
        for index in 0..<nodeCount {
            nodes.append(
                try RecordNode(decoding: &decoder, at: index, of: nodeCount, behind: &place, arenaCount: arena.count))
        }
        for _ in 0..<(try decoder.count()) { problems.append(try RecordProblem(decoding: &decoder)) }
        try decodeEntries(recordCount, from: &decoder)
    }

    private static func position(from decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) -> RecordPosition {
        let limit = Int(Int64.max / 4)
        return RecordPosition(
            byteOffset: try decoder.count(atMost: limit), line: try decoder.count(atMost: limit),
            record: try decoder.count(atMost: limit))
    }

    private mutating func decodeEntries(
        _ recordCount: Int, from decoder: inout SpoolDecoder
    ) throws(SpoolDecoder.Fault) {
        let limit = Int(Int64.max / 4)
        var before = (line: start.line, offset: start.byteOffset, arena: 0, field: 0)
        for _ in 0..<recordCount {
            let line = try decoder.number(from: before.line, within: 0...limit)
            let offset = try decoder.number(from: before.offset, within: 0...limit)
            let length = try decoder.count(atMost: Int(UInt32.max))
            let arenaStart = try decoder.number(from: before.arena, within: 0...arena.count)
            let arenaLength = try decoder.number(from: length, within: 0...arena.count - arenaStart)
            let root = try decoder.count(atMost: nodes.count) - 1
            let problem = try decoder.count(atMost: problems.count) - 1
            let fieldTotal = try decoder.count(atMost: min(decoder.remaining, DelimitedScanner.largestFieldCount))
            if let original {
                let begin = offset - start.byteOffset
                guard begin >= 0, begin <= original.count, length <= original.count - begin else { throw decoder.fault }
            }
            var entry = RecordEntry(
                firstField: fieldCount, fieldCount: fieldTotal, arenaStart: arenaStart, arenaLength: arenaLength,
                line: line, sourceOffset: offset, rootNode: root, problemIndex: problem)
            entry.sourceLength = UInt32(truncatingIfNeeded: length)
            for _ in 0..<fieldTotal {
                appendField(
                    try RecordField(
                        decoding: &decoder, behind: &before.field, arenaCount: arena.count, nodeCount: nodes.count))
            }
            appendEntry(entry)
            before = (line, offset + length, arenaStart + arenaLength, before.field)
        }
    }
}

extension RecordEntry {
    /// The numbers of an entry in a spool, beside those of its fields.
    fileprivate static let numberCount = 8
}

extension RecordField {
    /// The most numbers of a field in a spool.
    fileprivate static let numberCount = 2

    /// Adds a value: its kind and length, then its place as the distance from the end of the one before.
    @inline(__always)
    fileprivate func encode(behind place: inout Int, into output: inout OutputSpan<UInt8>) {
        output.append(count: length << 4 | Int(kind.rawValue))
        // What has no bytes has no place.
        guard !isAbsent || length > 0 else { return }
        output.append(signed: start - place)
        place = kind == .node ? place : start + length
    }

    @inline(__always)
    fileprivate init(
        decoding decoder: inout SpoolDecoder, behind place: inout Int, arenaCount: Int, nodeCount: Int
    ) throws(SpoolDecoder.Fault) {
        let word = try decoder.count(atMost: Int(RecordField.lengthMask) << 4 | 0xF)
        guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: word & 0xF)) else { throw decoder.fault }
        let length = word >> 4
        if kind == .null || kind == .missing, length == 0 {
            self.init(kind, start: 0, length: 0)
            return
        }
        let start = try decoder.number(from: place, within: 0...(kind == .node ? max(0, nodeCount - 1) : arenaCount))
        switch kind {
        case .node: guard nodeCount > 0 || (start == 0 && length == 0) else { throw decoder.fault }
        // No source has that; values are computed when records are converted.
        case .failure: throw decoder.fault
        case .integer, .real, .date: guard length == 8, length <= arenaCount - start else { throw decoder.fault }
        default: guard length <= arenaCount - start else { throw decoder.fault }
        }
        if kind != .node { place = start + length }
        self.init(kind, start: start, length: length)
    }
}

extension RecordNode {
    /// The most numbers of a node in a spool.
    fileprivate static let numberCount = 4 + 2 * RecordField.numberCount

    fileprivate func encode(at index: Int, behind place: inout Int, into output: inout OutputSpan<UInt8>) {
        output.append(count: Int(kind.rawValue) << 1 | (isLeaf ? 1 : 0))
        output.append(count: Int(symbol) + 1)
        name.encode(behind: &place, into: &output)
        value.encode(behind: &place, into: &output)
        output.append(count: firstChild < 0 ? 0 : Int(firstChild) - index)
        output.append(count: nextSibling < 0 ? 0 : Int(nextSibling) - index)
    }

    fileprivate init(
        decoding decoder: inout SpoolDecoder, at index: Int, of count: Int, behind place: inout Int, arenaCount: Int
    ) throws(SpoolDecoder.Fault) {
        let word = try decoder.count(atMost: 7)
        guard let kind = Kind(rawValue: UInt8(word >> 1)) else { throw decoder.fault }
        let symbol = try decoder.count(atMost: Int(Int32.max)) - 1
        let name = try RecordField(
            decoding: &decoder, behind: &place, arenaCount: arenaCount, nodeCount: count)
        let value = try RecordField(
            decoding: &decoder, behind: &place, arenaCount: arenaCount, nodeCount: count)
        self.init(kind, symbol: Int32(symbol), name: name, value: value, isLeaf: word & 1 == 1)
        // Children and siblings come later, so that no way leads round in a circle.
        let child = try decoder.count(atMost: count - 1 - index)
        let sibling = try decoder.count(atMost: count - 1 - index)
        if child > 0 { firstChild = Int32(truncatingIfNeeded: index + child) }
        if sibling > 0 { nextSibling = Int32(truncatingIfNeeded: index + sibling) }
    }
}

extension RecordProblem {
    func encode(into encoder: inout SpoolEncoder) {
        encoder.append(count: Int(code.rawValue))
        for number in [offset, line, fieldCount, byteCount, limit] { encoder.append(signed: number) }
    }

    init(decoding decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) {
        guard let code = Code(rawValue: UInt8(try decoder.count(atMost: 255))) else { throw decoder.fault }
        let (offset, line, fields) = (try decoder.signed(), try decoder.signed(), try decoder.signed())
        let (size, limit) = (try decoder.signed(), try decoder.signed())
        self =
            code == .tooLarge
            ? RecordProblem(tooLarge: size, limit: limit, line: line)
            : RecordProblem(code, offset: offset, line: line, fieldCount: fields)
    }
}

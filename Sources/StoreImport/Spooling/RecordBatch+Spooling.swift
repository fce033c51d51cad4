import RecordSources

/// The encoding of a batch's records in a spool (docs/format/spools.md#batches).
extension RecordBatch {
    /// Encodes the records, their bytes and their values.
    ///
    /// - Parameter leavingOutFields: whether fields may be left out if they can be found again in the bytes. Fields of
    ///   records with a fault are never left out.
    func encode(leavingOutFields: Bool, into encoder: inout SpoolEncoder) {
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
        let leavesOut = leavingOutFields && problems.isEmpty
        encoder.append(count: leavesOut ? 1 : 0)
        encodeEntries(into: &encoder)
        if !leavesOut { encodeFields(into: &encoder) }
    }

    private func encodeEntries(into encoder: inout SpoolEncoder) {
        encoder.append(atMost: count * RecordEntry.numberCount) { output in
            var before = RecordEntry.Before(start)
            for record in 0..<count {
                let entry = entries[record]
                let isUsual = before.isUsual(entry)
                output.append(count: Int(entry.sourceLength) << 1 | (isUsual ? 0 : 1))
                if !isUsual {
                    output.append(signed: entry.line - before.line)
                    output.append(signed: entry.sourceOffset - before.offset)
                    output.append(signed: Int(entry.arenaStart) - before.arena)
                    output.append(signed: Int(entry.arenaLength) - Int(entry.sourceLength))
                    output.append(count: Int(entry.rootNode) + 1)
                    output.append(count: Int(entry.problemIndex) + 1)
                    output.append(count: Int(entry.fieldCount))
                }
                before.pass(entry)
            }
        }
    }

    private func encodeFields(into encoder: inout SpoolEncoder) {
        var section = SpoolEncoder()
        let total = entries[..<count].reduce(0) { $0 + Int($1.fieldCount) }
        section.append(atMost: total * RecordField.numberCount) { output in
            Self.encode(fields.span, of: entries.span.extracting(0..<count), into: &output)
        }
        encoder.append(bytes: section.bytes)
    }

    /// This function is static, so that the compiler knows that writing cannot change the arrays of the batch.
    private static func encode(
        _ fields: Span<RecordField>, of entries: Span<RecordEntry>, into output: inout OutputSpan<UInt8>
    ) {
        var before = RecordField.Before()
        for record in entries.indices {
            let first = Int(entries[record].firstField)
            for field in first..<first + Int(entries[record].fieldCount) {
                fields[field].encode(behind: &before, into: &output)
            }
        }
    }

    /// Decodes a batch that `encode` has written, and checks all of it.
    ///
    /// - Parameter form: how fields that were left out are found again.
    mutating func decode(from decoder: inout SpoolDecoder, _ form: DelimitedForm?) throws(SpoolDecoder.Fault) {
        removeAll()
        let recordCount = try decoder.count()
        start = try Self.position(from: &decoder)
        end = try Self.position(from: &decoder)
        arena.append(contentsOf: try decoder.data())
        // Offsets in the arena have 32 bits.
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
        let areLeftOut = try decoder.flag()
        try decodeEntries(recordCount, from: &decoder, areFieldsLeftOut: areLeftOut)
        guard !areLeftOut else {
            guard let form, problems.isEmpty, nodes.isEmpty else { throw decoder.fault }
            unscanned = form
            return
        }
        encodedFields.append(contentsOf: try decoder.data())
        // Each field takes at least one byte.
        guard fieldCount <= encodedFields.count else { throw decoder.fault }
        if !nodes.isEmpty { try decodeFields() }
    }

    private static func position(from decoder: inout SpoolDecoder) throws(SpoolDecoder.Fault) -> RecordPosition {
        let limit = Int(Int64.max / 4)
        return RecordPosition(
            byteOffset: try decoder.count(atMost: limit), line: try decoder.count(atMost: limit),
            record: try decoder.count(atMost: limit))
    }

    private mutating func decodeEntries(
        _ recordCount: Int, from decoder: inout SpoolDecoder, areFieldsLeftOut: Bool
    ) throws(SpoolDecoder.Fault) {
        let limit = Int(Int64.max / 4)
        let (arenaCount, nodeCount, problemCount) = (arena.count, nodes.count, problems.count)
        var before = RecordEntry.Before(start)
        var found: [RecordEntry] = []
        found.reserveCapacity(recordCount)
        var firstField = 0
        for _ in 0..<recordCount {
            let word = try decoder.count(atMost: Int(UInt32.max) << 1 | 1)
            let length = word >> 1
            var (line, offset, arenaStart, arenaLength) = (before.line + 1, before.offset, before.arena, length)
            var (root, problem, fieldTotal) = (-1, -1, before.fields)
            if word & 1 == 1 {
                line = try decoder.number(from: before.line, within: 0...limit)
                offset = try decoder.number(from: before.offset, within: 0...limit)
                arenaStart = try decoder.number(from: before.arena, within: 0...arenaCount)
                arenaLength = try decoder.number(from: length, within: 0...arenaCount - arenaStart)
                root = try decoder.count(atMost: nodeCount) - 1
                problem = try decoder.count(atMost: problemCount) - 1
                fieldTotal = try decoder.count(atMost: DelimitedScanner.largestFieldCount)
            }
            guard line <= limit, offset <= limit, arenaLength <= arenaCount - arenaStart,
                areFieldsLeftOut || fieldTotal <= decoder.remaining - firstField
            else { throw decoder.fault }
            if let original {
                let begin = offset - start.byteOffset
                guard begin >= 0, begin <= original.count, length <= original.count - begin else { throw decoder.fault }
            }
            var entry = RecordEntry(
                firstField: firstField, fieldCount: fieldTotal, arenaStart: arenaStart, arenaLength: arenaLength,
                line: line, sourceOffset: offset, rootNode: root, problemIndex: problem)
            entry.sourceLength = UInt32(truncatingIfNeeded: length)
            firstField += fieldTotal
            found.append(entry)
            before.pass(entry)
        }
        append(found)
        fieldCount = firstField
    }

    /// Decodes the fields that are still encoded as in the spool, if there are any. This is deferred, because few
    /// records are examined again when their store is assembled.
    mutating func takeFields() {
        if let form = unscanned {
            unscanned = nil
            if !scanFields(form) { hasWrongFields = true }
            return
        }
        guard !encodedFields.isEmpty else { return }
        do {
            try decodeFields()
        } catch {
            hasWrongFields = true
        }
    }

    mutating func decodeFields() throws(SpoolDecoder.Fault) {
        guard !encodedFields.isEmpty else { return }
        var decoder = SpoolDecoder(encodedFields)
        encodedFields.removeAll()
        fields.removeAll(keepingCapacity: true)
        fields.append(contentsOf: repeatElement(.missing, count: fieldCount))
        let (arenaCount, nodeCount) = (arena.count, nodes.count)
        var before = RecordField.Before()
        for field in fields.indices {
            fields[field] = try RecordField(
                decoding: &decoder, behind: &before, arenaCount: arenaCount, nodeCount: nodeCount)
        }
        try decoder.finish()
    }
}

extension RecordEntry {
    /// The largest number of numbers for an entry in a spool.
    fileprivate static let numberCount = 8

    /// The expected place of an entry: one line after the entry before, with its bytes directly after those.
    fileprivate struct Before {
        var line: Int
        var offset: Int
        var arena = 0
        var fields = 0

        init(_ start: RecordPosition) {
            line = start.line - 1
            offset = start.byteOffset
        }

        @inline(__always)
        func isUsual(_ entry: RecordEntry) -> Bool {
            entry.line == line + 1 && entry.sourceOffset == offset && Int(entry.arenaStart) == arena
                && entry.arenaLength == entry.sourceLength && entry.rootNode < 0 && entry.problemIndex < 0
                && Int(entry.fieldCount) == fields
        }

        @inline(__always)
        mutating func pass(_ entry: RecordEntry) {
            line = entry.line
            offset = entry.sourceOffset + Int(entry.sourceLength)
            arena = Int(entry.arenaStart) + Int(entry.arenaLength)
            fields = Int(entry.fieldCount)
        }
    }
}

extension RecordField {
    /// The largest number of numbers for a field in a spool.
    fileprivate static let numberCount = 2

    /// The end of a value, from which the place of the next one is predicted.
    fileprivate struct Before {
        var place = 0
        var isQuoted = false

        /// Returns the expected place of the next value, after a separator and the quotes of both values.
        @inline(__always)
        func expected(_ kind: Kind) -> Int { place + 1 + (isQuoted ? 1 : 0) + (kind == .quoted ? 1 : 0) }

        @inline(__always)
        mutating func pass(_ field: RecordField) {
            place = field.start + field.length
            isQuoted = field.kind == .quoted
        }
    }

    /// Encodes a value of a record: its kind and length, then its place if it is not the expected one.
    @inline(__always)
    fileprivate func encode(behind before: inout Before, into output: inout OutputSpan<UInt8>) {
        let (kind, word) = (kind, length << 5 | Int(kind.rawValue) << 1)
        // A value without bytes has no place.
        guard !isAbsent || length > 0 else { return output.append(count: word) }
        let isUsual = kind != .node && start == before.expected(kind)
        output.append(count: word | (isUsual ? 0 : 1))
        if !isUsual { output.append(signed: start - before.place) }
        if kind != .node { before.pass(self) }
    }

    @inline(__always)
    fileprivate init(
        decoding decoder: inout SpoolDecoder, behind before: inout Before, arenaCount: Int, nodeCount: Int
    ) throws(SpoolDecoder.Fault) {
        let word = try decoder.count(atMost: Int(RecordField.lengthMask) << 5 | 0x1F)
        guard let kind = Kind(rawValue: UInt8(truncatingIfNeeded: word >> 1 & 0xF)) else { throw decoder.fault }
        var start = before.expected(kind)
        if word & 1 == 1 {
            start = try decoder.number(
                from: before.place, within: 0...(kind == .node ? max(0, nodeCount - 1) : arenaCount))
        }
        try self.init(kind, word >> 5, start, decoder.fault, arenaCount: arenaCount, nodeCount: nodeCount)
        if kind != .node, !isAbsent || length > 0 { before.pass(self) }
    }

    /// Checks that the bytes of a value exist.
    @inline(__always)
    private init(
        _ kind: Kind, _ length: Int, _ start: Int, _ fault: SpoolDecoder.Fault, arenaCount: Int, nodeCount: Int
    ) throws(SpoolDecoder.Fault) {
        if kind == .null || kind == .missing, length == 0 {
            self.init(kind, start: 0, length: 0)
            return
        }
        switch kind {
        case .node: guard start < nodeCount || (start == 0 && length == 0) else { throw fault }
        // No source has such a value; it is computed when records are converted.
        case .failure: throw fault
        case .integer, .real, .date: guard length == 8, length <= arenaCount - start else { throw fault }
        default: guard length <= arenaCount - start else { throw fault }
        }
        self.init(kind, start: start, length: length)
    }

    /// Encodes a value of a node: its kind and length, then its place as the distance from the end of the value before.
    @inline(__always)
    fileprivate func encode(behind place: inout Int, into output: inout OutputSpan<UInt8>) {
        output.append(count: length << 4 | Int(kind.rawValue))
        // A value without bytes has no place.
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
        try self.init(kind, length, start, decoder.fault, arenaCount: arenaCount, nodeCount: nodeCount)
        if kind != .node { place = start + length }
    }
}

extension RecordNode {
    /// The largest number of numbers for a node in a spool.
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
        // Children and siblings have higher indexes, so that there are no cycles.
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

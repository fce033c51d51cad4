import KeyedArchives

/// Creates the nodes of a record of a property list.
struct PropertyListTreeBuilder {
    /// A container that is not closed.
    private struct Open {
        let node: Int
        var lastChild = -1
        var key: RecordField?
        var keys = Set<String>()
    }

    let names: FieldNames
    let limits: RecordLimits

    /// Reads the value that begins with an event; returns a problem if it is too large or has a repeated key.
    ///
    /// - Parameter key: the key of the record itself, if it is a member.
    func build(
        _ first: PropertyListEvent, key: String?, line: Int, _ events: inout PropertyListEvents,
        into batch: inout RecordBatch
    ) throws -> RecordProblem? {
        let (firstNode, arenaStart) = (batch.nodes.count, batch.arena.count)
        var open: [Open] = []
        var problem: RecordProblem?
        var pending = key.map { Self.field($0, &batch) }
        var event = first
        while true {
            var isTooLarge = false
            switch event {
            case .end: open.removeLast()
            case .key(let key):
                let last = open.count - 1
                if !open[last].keys.insert(key).inserted, problem == nil {
                    problem = RecordProblem(.duplicateKey, line: events.line ?? line)
                }
                pending = Self.field(key, &batch)
            case .dictionary, .array, .value, .tooLarge:
                isTooLarge = event == .tooLarge
                append(event, named: pending, to: &open, &batch)
                pending = nil
            }
            let found: RecordProblem.Code? =
                if isTooLarge || batch.arena.count - arenaStart > limits.bytes {
                    .tooLarge
                } else if open.count > limits.depth { .tooDeep } else if batch.nodes.count - firstNode > limits.values {
                    .tooManyValues
                } else { nil }
            if let found {
                batch.nodes.removeLast(batch.nodes.count - firstNode)
                batch.truncateArena(to: arenaStart)
                try skip(open.count, &events)
                return found == .tooLarge
                    ? RecordProblem(tooLarge: 0, limit: limits.bytes, line: line)
                    : RecordProblem(found, line: events.line ?? line)
            }
            guard !open.isEmpty, let next = try events.next() else { return problem }
            event = next
        }
    }

    /// Skips the rest of a number of containers.
    private func skip(_ depth: Int, _ events: inout PropertyListEvents) throws {
        for _ in 0..<depth { try events.skip(.array) }
    }

    private func append(
        _ event: PropertyListEvent, named name: RecordField?, to open: inout [Open], _ batch: inout RecordBatch
    ) {
        let node = batch.nodes.count
        let symbol = name.map { names.find(batch.arena.span, $0.range) } ?? -1
        switch event {
        case .dictionary: batch.nodes.append(RecordNode(.object, symbol: symbol, name: name ?? .missing, isLeaf: false))
        case .array: batch.nodes.append(RecordNode(.array, symbol: symbol, name: name ?? .missing, isLeaf: false))
        case .value(let value):
            let field = Self.field(value, &batch)
            batch.nodes.append(
                RecordNode(.scalar, symbol: symbol, name: name ?? .missing, value: field, isLeaf: true))
        default: return
        }
        if let last = open.indices.last {
            if open[last].lastChild < 0 {
                batch.nodes[open[last].node].firstChild = Int32(truncatingIfNeeded: node)
            } else {
                batch.nodes[open[last].lastChild].nextSibling = Int32(truncatingIfNeeded: node)
            }
            open[last].lastChild = node
        }
        if event == .dictionary || event == .array { open.append(Open(node: node)) }
    }

    private static func field(_ text: String, _ batch: inout RecordBatch) -> RecordField {
        let bytes = Array(text.utf8)
        return RecordField(.quoted, start: batch.appendValue(bytes), length: bytes.count)
    }

    /// Returns a value as a field with its type.
    private static func field(_ value: PropertyListValue, _ batch: inout RecordBatch) -> RecordField {
        func field(_ kind: RecordField.Kind, _ bytes: [UInt8]) -> RecordField {
            RecordField(kind, start: batch.appendValue(bytes), length: bytes.count)
        }
        func field(_ kind: RecordField.Kind, bits: UInt64) -> RecordField {
            field(kind, (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
        }
        func real(_ number: Double) -> RecordField {
            number.isFinite ? field(.number, Array("\(number)".utf8)) : field(.real, bits: number.bitPattern)
        }
        switch value {
        case .null, .array, .set, .dictionary: return .null
        case .boolean(let flag): return field(.boolean, Array((flag ? "true" : "false").utf8))
        // Numbers are kept as texts, so that messages can show them.
        case .integer(let number): return field(.number, Array("\(number)".utf8))
        case .wideInteger(let number): return field(.number, Array("\(number)".utf8))
        case .uid(let number): return field(.number, Array("\(number)".utf8))
        case .real(let number): return real(number)
        case .single(let number): return real(Double(number))
        case .date(let seconds): return field(.date, bits: seconds.bitPattern)
        case .data(let bytes): return field(.blob, bytes)
        case .string(let text): return field(.quoted, Array(text.utf8))
        case .malformedText(let units): return field(.blob, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        }
    }
}

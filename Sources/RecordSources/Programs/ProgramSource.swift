import FoundationEssentials

/// The records of a program as a source; the values keep their types.
struct ProgramSource: RowRendering {
    let name = ProgramRecords.name
    let columns: [SourceColumn]
    let wrapping = RecordWrapping(fileExtension: "sqlite")

    private let records: ProgramRecords
    private let limits: RecordLimits
    private var position = RecordPosition(byteOffset: 0, line: 1, record: 0)
    private var recordsToSkip: Int
    /// For each column, the value in the current record.
    private var values: [RecordValue?]

    init(_ records: ProgramRecords, limits: RecordLimits, from position: RecordPosition?) {
        self.records = records
        self.limits = limits
        columns = records.columns.map { SourceColumn(name: $0) }
        recordsToSkip = position?.record ?? 0
        values = [RecordValue?](repeating: nil, count: records.columns.count)
    }

    mutating func next(into batch: inout RecordBatch) throws -> Bool {
        batch.removeAll()
        batch.start = position
        while !batch.isFull, let record = records.next() {
            position.record += 1
            position.line += 1
            if recordsToSkip > 0 {
                recordsToSkip -= 1
                batch.start = position
            } else {
                try append(record, to: &batch)
            }
        }
        batch.end = position
        return batch.count > 0
    }

    private mutating func append(_ record: [String: RecordValue], to batch: inout RecordBatch) throws(SourceError) {
        for column in values.indices { values[column] = nil }
        for (name, value) in record {
            guard let place = records.places[name] else {
                throw SourceError(.unknownField(name, known: records.columns), in: self.name, line: position.record)
            }
            values[place] = value
        }
        let arenaStart = batch.arena.count
        let firstField = batch.fieldCount
        for value in values { batch.append(value) }
        let byteCount = batch.arena.count - arenaStart
        guard byteCount <= limits.bytes else {
            batch.truncateArena(to: arenaStart)
            batch.fieldCount = firstField
            batch.appendLargeRecord(
                RecordProblem(tooLarge: byteCount, limit: limits.bytes, line: position.record), sourceRange: 0..<0)
            return
        }
        batch.appendEntry(
            RecordEntry(
                firstField: firstField, fieldCount: columns.count, arenaStart: arenaStart, arenaLength: 0,
                line: position.record, sourceOffset: 0))
    }
}

extension RecordBatch {
    /// Adds a value as the next field; nil adds a missing one.
    fileprivate mutating func append(_ value: RecordValue?) {
        switch value {
        case nil: appendField(.missing)
        case .null?: appendField(.null)
        case .integer(let number)?: appendNumber(.integer, bits: UInt64(bitPattern: number))
        case .real(let number)?: appendNumber(.real, bits: number.bitPattern)
        case .date(let date)?: appendNumber(.date, bits: date.timeIntervalSinceReferenceDate.bitPattern)
        case .text(let text)?: appendText(.quoted, text.utf8)
        case .number(let text)?: appendText(.number, text.utf8)
        case .boolean(let flag)?: appendText(.boolean, (flag ? "true" : "false").utf8)
        case .data(let bytes)?: appendText(.blob, bytes)
        }
    }

    private mutating func appendText(_ kind: RecordField.Kind, _ bytes: some Collection<UInt8>) {
        let start = appendValue(bytes)
        appendField(RecordField(kind, start: start, length: arena.count - start))
    }
}

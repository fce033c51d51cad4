package import SQLiteAccess

/// Some records of a source, ready to be converted, in flat buffers that are used again for every batch.
///
/// All values lie in one arena: a record's own bytes as they are in the source (decoded to UTF-8), then the values
/// that are not a part of those bytes, such as unescaped ones. A batch refers to nothing outside itself, so that one
/// core can fill the next batch while another converts this one.
public struct RecordBatch: Sendable {
    /// When a batch is full: whichever comes first.
    public struct Limits: Equatable, Sendable {
        /// The most records; at least one.
        public var rows: Int
        /// The most bytes, of the values and of the places of the fields, each by itself; a batch that reaches them is
        /// full.
        public var bytes: Int

        /// 1000 rows, as Core Data's documents advise, or 4 MiB, which two cores hold twice in a bounded memory.
        public init(rows: Int = 1000, bytes: Int = 4 << 20) {
            self.rows = max(1, rows)
            self.bytes = min(max(1, bytes), 128 << 20)
        }

        /// The most records with a number of columns: of very many columns, the places of the fields take more memory
        /// than the values.
        func rows(ofColumns count: Int) -> Int {
            max(1, min(rows, bytes / max(1, count * MemoryLayout<RecordField>.stride)))
        }
    }

    /// When the batch is full.
    public var limits: Limits
    /// The bytes of all values.
    public package(set) var arena: [UInt8] = []
    /// The place of the first record.
    public package(set) var start = RecordPosition.start
    /// The place after the last record: where the next batch begins.
    public package(set) var end = RecordPosition.start
    /// How many records there are.
    public internal(set) var count = 0

    @usableFromInline package var fields: [RecordField] = []
    package var fieldCount = 0
    /// The fields of records out of a spool as they stand there, until one is asked for; empty in all other batches.
    package var encodedFields: [UInt8] = []
    /// How the fields of records out of a spool are found that it does not have, until one is asked for.
    package var unscanned: DelimitedForm?
    /// Whether fields out of a spool turned out not to hold together.
    package var hasWrongFields = false
    /// How many records there are once what was scanned last is taken over.
    var pendingCount = 0
    @usableFromInline package var entries: [RecordEntry] = []
    /// The nodes of nested records, each record's together.
    public package(set) var nodes: [RecordNode] = []
    package var problems: [RecordProblem] = []
    /// What expressions could not compute of the records.
    private var failures: [ExpressionFailure] = []
    /// The records' bytes as they are in the source, where the source is not UTF-8.
    package var original: [UInt8]?
    /// The namespaces of the prefixes in the records of an XML document.
    package var namespaces: [String: String] = [:]

    /// Makes a batch without records.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Forgets the records and keeps the memory.
    public mutating func removeAll() {
        arena.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        problems.removeAll(keepingCapacity: true)
        failures.removeAll(keepingCapacity: true)
        original = nil
        encodedFields.removeAll(keepingCapacity: true)
        unscanned = nil
        hasWrongFields = false
        count = 0
        fieldCount = 0
        start = end
    }

    var isFull: Bool {
        count >= limits.rows || arena.count + nodes.count * MemoryLayout<RecordNode>.stride >= limits.bytes
            || fieldCount * MemoryLayout<RecordField>.stride >= limits.bytes
    }

    /// The record of a number from 0 to below `count`.
    public subscript(record: Int) -> RecordEntry {
        precondition(record < count, "there is no such record in the batch")
        return entries[record]
    }

    /// A record's value in a column or slot; `.missing` beyond its last field.
    @inlinable
    public func field(_ column: Int, of record: Int) -> RecordField {
        let entry = entries[record]
        guard column < Int(entry.fieldCount) else { return .missing }
        return fields[Int(entry.firstField) + column]
    }

    /// What makes a record unreadable; nil for a good one.
    public func problem(of record: Int) -> RecordProblem? {
        let index = Int(self[record].problemIndex)
        return index < 0 ? nil : problems[index]
    }

    /// The bytes of a value: of an `.integer`, `.real` or `.date` those of its number, of a `.node` and a `.failure`
    /// none.
    public func bytes(of field: RecordField) -> ArraySlice<UInt8> {
        field.kind == .node || field.kind == .failure ? [] : arena[field.range]
    }

    /// A value as text, for messages and tests: never for values that are only copied.
    public func text(of field: RecordField) -> String {
        String(decoding: textBytes(of: field), as: UTF8.self)
    }

    /// The bytes of a value as text: of a number its digits, in the fewest that are the same number.
    package func textBytes(of field: RecordField) -> ArraySlice<UInt8> {
        switch field.kind {
        case .integer: ArraySlice(String(integer(of: field)).utf8)
        case .real, .date: ArraySlice(real(of: field).description.utf8)
        case .text, .quoted, .null, .missing, .number, .boolean, .blob, .node, .failure: bytes(of: field)
        }
    }

    /// A record byte for byte as it is in the source, line end included.
    public func sourceBytes(of record: Int) -> ArraySlice<UInt8> {
        let entry = self[record]
        guard let original else { return arena[entry.arenaRange] }
        let first = entry.sourceOffset - start.byteOffset
        return original[first..<first + Int(entry.sourceLength)]
    }

    /// Adds a record that is too large to be held: it has no fields and no bytes.
    mutating func appendLargeRecord(_ problem: RecordProblem, sourceRange: Range<Int>) {
        var entry = RecordEntry(
            firstField: fieldCount, fieldCount: 0, arenaStart: arena.count, arenaLength: 0, line: problem.line,
            sourceOffset: sourceRange.lowerBound)
        entry.sourceLength = UInt32(clamping: sourceRange.count)
        appendEntry(entry)
        reject(count - 1, for: problem)
    }

    /// Marks a record as unreadable, unless it is already.
    mutating func reject(_ record: Int, for problem: RecordProblem, insteadOfOthers: Bool = false) {
        guard entries[record].problemIndex < 0 || insteadOfOthers else { return }
        entries[record].problemIndex = Int32(truncatingIfNeeded: problems.count)
        problems.append(problem)
    }

    /// Adds bytes that are not part of a record's own and returns where they begin.
    package mutating func appendValue(_ bytes: some Collection<UInt8>) -> Int {
        let start = arena.count
        arena.append(contentsOf: bytes)
        return start
    }

    package mutating func appendRange(_ bytes: [UInt8]) -> ArenaRange {
        ArenaRange(start: appendValue(bytes), count: bytes.count)
    }

    /// Adds what an expression could not compute, as a field that has no value.
    package mutating func appendFailure(_ failure: ExpressionFailure) -> RecordField {
        failures.append(failure)
        return RecordField(.failure, start: failures.count - 1, length: 0)
    }

    /// Why there is no value in the place of a `.failure`; nil for any other field.
    package func failure(of field: RecordField) -> ExpressionFailure? {
        field.kind == .failure ? failures[field.start] : nil
    }

    /// Forgets values that were added last; memory beyond the limits of a batch is given back.
    package mutating func truncateArena(to count: Int) {
        arena.removeLast(arena.count - count)
        guard arena.capacity > 4 * limits.bytes, count <= limits.bytes else { return }
        // A copy of its own: one array made of another shares its memory.
        arena = arena.withUnsafeBufferPointer { Array($0) }
    }

    /// The number of an `.integer`.
    public func integer(of field: RecordField) -> Int64 {
        var bits: UInt64 = 0
        for index in (0..<8).reversed() { bits = bits << 8 | UInt64(arena[field.start + index]) }
        return Int64(bitPattern: bits)
    }

    /// The number of a `.real`.
    public func real(of field: RecordField) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(of: field)))
    }

    /// Adds a number as a field of its own.
    mutating func appendNumber(_ kind: RecordField.Kind, bits: UInt64) {
        let start = arena.count
        for shift in 0..<8 { arena.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift))) }
        appendField(RecordField(kind, start: start, length: 8))
    }

    package mutating func appendField(_ field: RecordField) {
        if fieldCount < fields.count {
            fields[fieldCount] = field
        } else {
            fields.append(field)
        }
        fieldCount += 1
    }

    /// Adds fields that have no value yet.
    mutating func appendMissingFields(_ added: Int) {
        let place = fieldCount
        fieldCount += added
        if fieldCount > fields.count {
            fields.append(contentsOf: repeatElement(.missing, count: fieldCount - fields.count))
        }
        var span = fields.mutableSpan
        for index in place..<place + added { span[index] = .missing }
    }

    package mutating func append(_ added: [RecordEntry]) {
        // What lies behind is of earlier batches.
        entries.replaceSubrange(count..., with: added)
        count += added.count
    }

    // Inline, so that an entry is written where it belongs: one that is built elsewhere, field by field, is read again as
    // wider words, which waits for all that was written before.
    @inline(__always)
    package mutating func appendEntry(_ entry: RecordEntry) {
        if count < entries.count {
            entries[count] = entry
        } else {
            entries.append(entry)
        }
        count += 1
    }
}

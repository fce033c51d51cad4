package import SQLiteAccess

/// Records of a source that are ready to be converted, in flat buffers that are reused for every batch.
///
/// All values are in one arena: the records' own bytes as in the source (decoded to UTF-8), then values that are not a
/// part of those bytes, such as unescaped ones. A batch refers to nothing outside itself, so that one core can fill the
/// next batch while another one converts this batch.
public struct RecordBatch: Sendable {
    /// The limits at which a batch is full, whichever is reached first.
    public struct Limits: Equatable, Sendable {
        /// The largest number of records; at least one.
        public var rows: Int
        /// The largest number of bytes, which applies separately to the values and to the places of the fields. A batch
        /// that reaches it is full.
        public var bytes: Int

        /// Creates limits; by default 1000 rows, as Core Data's documentation recommends, or 4 MiB, so that two batches
        /// of two cores fit into a limited memory.
        public init(rows: Int = 1000, bytes: Int = 4 << 20) {
            self.rows = max(1, rows)
            self.bytes = min(max(1, bytes), 128 << 20)
        }

        /// Returns the largest number of records with a number of columns. If there are many columns, the places of the
        /// fields take more memory than the values.
        func rows(ofColumns count: Int) -> Int {
            max(1, min(rows, bytes / max(1, count * MemoryLayout<RecordField>.stride)))
        }
    }

    /// The limits at which the batch is full.
    public var limits: Limits
    /// The bytes of all values.
    public package(set) var arena: [UInt8] = []
    /// The position of the first record.
    public package(set) var start = RecordPosition.start
    /// The position after the last record, where the next batch begins.
    public package(set) var end = RecordPosition.start
    /// The number of records.
    public internal(set) var count = 0

    @usableFromInline package var fields: [RecordField] = []
    package var fieldCount = 0
    /// The encoded fields of records that were read from a spool, until a field is requested; empty in all other
    /// batches.
    package var encodedFields: [UInt8] = []
    /// How to find the fields of records from a spool that does not store them, until a field is requested.
    package var unscanned: DelimitedForm?
    /// Whether the fields of records from a spool turned out to be inconsistent.
    package var hasWrongFields = false
    /// The number of records including those of the last scan that have not been added yet.
    var pendingCount = 0
    @usableFromInline package var entries: [RecordEntry] = []
    /// The nodes of nested records; those of a record are consecutive.
    public package(set) var nodes: [RecordNode] = []
    package var problems: [RecordProblem] = []
    /// The values that expressions could not compute.
    private var failures: [ExpressionFailure] = []
    /// The original bytes of the records, if the source is not in UTF-8.
    package var original: [UInt8]?
    /// The namespaces of the prefixes in the records of an XML document.
    package var namespaces: [String: String] = [:]

    /// Creates an empty batch.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Removes the records, and keeps the memory.
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

    /// The record with a number from 0 to below `count`.
    public subscript(record: Int) -> RecordEntry {
        precondition(record < count, "there is no such record in the batch")
        return entries[record]
    }

    /// Returns a record's value in a column or slot; `.missing` after its last field.
    @inlinable
    public func field(_ column: Int, of record: Int) -> RecordField {
        let entry = entries[record]
        guard column < Int(entry.fieldCount) else { return .missing }
        return fields[Int(entry.firstField) + column]
    }

    /// Returns the reason why a record cannot be read; nil if it can.
    public func problem(of record: Int) -> RecordProblem? {
        let index = Int(self[record].problemIndex)
        return index < 0 ? nil : problems[index]
    }

    /// Returns the bytes of a value. For an `.integer`, `.real` or `.date`, they are those of its number; a `.node` and
    /// a `.failure` have none.
    public func bytes(of field: RecordField) -> ArraySlice<UInt8> {
        field.kind == .node || field.kind == .failure ? [] : arena[field.range]
    }

    /// Returns a value as text, for messages and tests; not meant for values that are only copied.
    public func text(of field: RecordField) -> String {
        String(decoding: textBytes(of: field), as: UTF8.self)
    }

    /// Returns a value as text in bytes; for a number, the shortest digits that represent it.
    package func textBytes(of field: RecordField) -> ArraySlice<UInt8> {
        switch field.kind {
        case .integer: ArraySlice(String(integer(of: field)).utf8)
        case .real, .date: ArraySlice(real(of: field).description.utf8)
        case .text, .quoted, .null, .missing, .number, .boolean, .blob, .node, .failure: bytes(of: field)
        }
    }

    /// Returns a record's original bytes in the source, including the line end.
    public func sourceBytes(of record: Int) -> ArraySlice<UInt8> {
        let entry = self[record]
        guard let original else { return arena[entry.arenaRange] }
        let first = entry.sourceOffset - start.byteOffset
        return original[first..<first + Int(entry.sourceLength)]
    }

    /// Adds a record that exceeds the size limit; it has no fields and no bytes.
    mutating func appendLargeRecord(_ problem: RecordProblem, sourceRange: Range<Int>) {
        var entry = RecordEntry(
            firstField: fieldCount, fieldCount: 0, arenaStart: arena.count, arenaLength: 0, line: problem.line,
            sourceOffset: sourceRange.lowerBound)
        entry.sourceLength = UInt32(clamping: sourceRange.count)
        appendEntry(entry)
        reject(count - 1, for: problem)
    }

    /// Marks a record as unreadable, unless it is marked already.
    mutating func reject(_ record: Int, for problem: RecordProblem, insteadOfOthers: Bool = false) {
        guard entries[record].problemIndex < 0 || insteadOfOthers else { return }
        entries[record].problemIndex = Int32(truncatingIfNeeded: problems.count)
        problems.append(problem)
    }

    /// Adds bytes that are not part of a record's own bytes; returns their offset.
    package mutating func appendValue(_ bytes: some Collection<UInt8>) -> Int {
        let start = arena.count
        arena.append(contentsOf: bytes)
        return start
    }

    package mutating func appendRange(_ bytes: [UInt8]) -> ArenaRange {
        ArenaRange(start: appendValue(bytes), count: bytes.count)
    }

    /// Adds a value that an expression could not compute; returns a field without a value.
    package mutating func appendFailure(_ failure: ExpressionFailure) -> RecordField {
        failures.append(failure)
        return RecordField(.failure, start: failures.count - 1, length: 0)
    }

    /// Returns the reason why a `.failure` has no value; nil for any other field.
    package func failure(of field: RecordField) -> ExpressionFailure? {
        field.kind == .failure ? failures[field.start] : nil
    }

    /// Removes the values that were added last; memory beyond the limits of a batch is released.
    package mutating func truncateArena(to count: Int) {
        arena.removeLast(arena.count - count)
        guard arena.capacity > 4 * limits.bytes, count <= limits.bytes else { return }
        // A copy with its own memory; an array initialized from another one shares its memory.
        arena = arena.withUnsafeBufferPointer { Array($0) }
    }

    /// Returns the number of an `.integer`.
    public func integer(of field: RecordField) -> Int64 {
        var bits: UInt64 = 0
        for index in (0..<8).reversed() { bits = bits << 8 | UInt64(arena[field.start + index]) }
        return Int64(bitPattern: bits)
    }

    /// Returns the number of a `.real`.
    public func real(of field: RecordField) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(of: field)))
    }

    /// Adds a number as the next field.
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

    /// Adds fields without values.
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
        // The elements after these belong to earlier batches.
        entries.replaceSubrange(count..., with: added)
        count += added.count
    }

    // Inlined, so that an entry is written directly to its place. If it were built elsewhere field by field and then
    // copied in wider words, the loads would have to wait for the stores.
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

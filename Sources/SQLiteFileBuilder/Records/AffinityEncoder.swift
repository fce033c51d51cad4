internal import SQLiteAccess

/// Adds the values of a row to a record, converted to the affinities of their columns like SQLite's MakeRecord.
///
/// Texts that clearly are numbers, or clearly are not, are converted here. For other texts, and for numbers in text
/// columns, SQLite itself is asked, in an in-memory database.
struct AffinityEncoder: ~Copyable {
    private(set) var record: RecordEncoder
    private let affinities: [ColumnAffinity]
    /// The column that is an alias of the row ID and is stored as NULL; -1 if there is none.
    private let rowIDColumn: Int
    /// The encoding of the texts in records.
    let encoding: DatabaseFile.TextEncoding
    private let asker = AffinityAsker()

    init(_ affinities: [ColumnAffinity], rowIDColumn: Int?, encoding: DatabaseFile.TextEncoding) {
        self.affinities = affinities
        self.encoding = encoding
        self.rowIDColumn = rowIDColumn ?? -1
        record = RecordEncoder(columns: affinities.count)
    }

    /// Creates an encoder for the rows of a table.
    init(_ definition: TableDefinition) {
        self.init(
            definition.columns.map(\.affinity), rowIDColumn: definition.rowIDColumn, encoding: definition.encoding)
    }

    mutating func removeAll() {
        record.removeAll()
    }

    /// Removes the values that were added after a point in the row.
    mutating func goBack(to end: RecordEncoder.End) {
        record.goBack(to: end)
    }

    mutating func seal() {
        record.seal()
    }

    /// Loads a row of the same columns that was encoded before.
    mutating func load(_ packed: PackedRows, _ index: Int, _ numbers: Span<Int64>) {
        record.load(packed, index, numbers)
    }

    /// The affinity of the column of the next value.
    @inline(__always)
    private var affinity: ColumnAffinity {
        record.count < affinities.count ? affinities[record.count] : .blob
    }

    @inline(__always)
    private var isRowID: Bool { record.count == rowIDColumn }

    @inline(__always)
    mutating func addNull() {
        record.addNull()
    }

    /// Adds a value from a record of the same table.
    @inline(__always)
    mutating func add(_ slot: RecordEncoder.Slot, of other: StoredRecord) {
        record.add(slot, of: other)
    }

    /// Adds a value from a record of the same columns.
    @inline(__always)
    mutating func add(_ slot: RecordEncoder.Slot, of other: borrowing RecordEncoder) {
        record.add(slot, of: other)
    }

    /// Adds a value from a column that has the same affinity and is not an alias of the row ID.
    @inline(__always)
    mutating func add(copied type: UInt64, _ bytes: Span<UInt8>) {
        record.add(type: type, bytes)
    }

    /// Adds values that follow each other in a record, from columns of the same affinities without an alias of the row
    /// ID. Returns false if the values must be added one by one.
    @inline(__always)
    mutating func add(_ positions: Range<Int>, of values: borrowing RecordValues, _ bytes: Span<UInt8>) -> Bool {
        record.add(positions, of: values, bytes)
    }

    @inline(__always)
    mutating func add(_ value: Int64) {
        if isRowID { return record.addNull() }
        add(value, affinity)
    }

    @inline(__always)
    private mutating func add(_ value: Int64, _ affinity: ColumnAffinity) {
        switch affinity {
        case .text:
            addText(String(value).utf8.span)
        case .real where !(-140_737_488_355_328...140_737_488_355_327).contains(value):
            // The integer would take as many bytes as a real, so it is stored as a real.
            record.add(Double(value))
        default:
            record.add(value)
        }
    }

    /// Adds a value whose bytes lie in an arena.
    @inline(__always)
    mutating func add(_ value: ArenaValue, in arena: Span<UInt8>) throws(BuildError) {
        switch value {
        case .null: addNull()
        case .integer(let value): add(value)
        case .real(let value): try add(value)
        case .text(let range): try add(text: arena.extracting(range.range))
        case .blob(let range): add(blob: arena.extracting(range.range))
        }
    }

    @inline(__always)
    mutating func add(_ value: Double) throws(BuildError) {
        if isRowID || value.isNaN { return record.addNull() }
        try add(value, affinity)
    }

    private mutating func add(_ value: Double, _ affinity: ColumnAffinity) throws(BuildError) {
        switch affinity {
        case .blob: record.add(value)
        case .text: _ = try ask(.real(value), affinity)
        case .numeric, .integer, .real:
            // As in SQLite, the reals that equal the smallest and the largest integer stay reals.
            if let whole = Int64(exactly: value), whole > .min, whole < .max {
                add(whole, affinity)
            } else {
                record.add(value)
            }
        }
    }

    /// Adds a text in UTF-8.
    @inline(__always)
    mutating func add(text: Span<UInt8>) throws(BuildError) {
        if isRowID { return record.addNull() }
        let affinity = affinity
        if affinity.isNumeric, try addNumber(text, affinity) { return }
        addText(text)
    }

    /// Adds a text in the encoding of the records.
    @inline(__always)
    mutating func add(storedText text: Span<UInt8>) throws(BuildError) {
        if encoding == .utf8 { return try add(text: text) }
        if isRowID { return record.addNull() }
        let affinity = affinity
        if affinity.isNumeric, try addNumber(encoding.utf8(text).span, affinity) { return }
        record.add(text, isText: true)
    }

    @inline(__always)
    private mutating func addText(_ text: Span<UInt8>) {
        if encoding == .utf8 { record.add(text, isText: true) } else { addEncoded(text) }
    }

    @inline(never)
    private mutating func addEncoded(_ text: Span<UInt8>) { record.add(encoding.stored(text).span, isText: true) }

    /// Adds the number that a text in UTF-8 is; returns false if it is not one.
    private mutating func addNumber(_ text: Span<UInt8>, _ affinity: ColumnAffinity) throws(BuildError) -> Bool {
        switch NumericText(text) {
        case .none: return false
        case .integer(let value): add(value, affinity)
        case .real(let value): try add(value, affinity)
        case .unclear: return try ask(.text(Array(copying: text)), affinity)
        }
        return true
    }

    @inline(__always)
    mutating func add(blob: Span<UInt8>) {
        if isRowID { return record.addNull() }
        record.add(blob, isText: false)
    }

    /// Adds a value of a record from a column with an affinity.
    @inline(__always)
    mutating func add(type: UInt64, _ bytes: Span<UInt8>, from source: ColumnAffinity) throws(BuildError) {
        if isRowID { return record.addNull() }
        let affinity = affinity
        // A stored value needs no conversion for a column of the same affinity. Real columns store whole numbers as
        // integers; other columns do not convert these back to reals.
        if source == affinity || type == SerialType.null || affinity == .blob && source != .real {
            return record.add(type: type, bytes)
        }
        switch type {
        case SerialType.real: try add(Double(bitPattern: UInt64(bitPattern: SerialType.integer(of: type, bytes))))
        case 1...9:
            let value = SerialType.integer(of: type, bytes)
            if source == .real { try add(Double(value)) } else { add(value) }
        default: if SerialType.isText(type) { try add(storedText: bytes) } else { add(blob: bytes) }
        }
    }

    /// Adds what SQLite stores; returns false if this is the text that it is asked about.
    @inline(never)
    private mutating func ask(_ value: SQLiteValue, _ affinity: ColumnAffinity) throws(BuildError) -> Bool {
        switch try asker.stored(value, affinity) {
        case .null: record.addNull()
        case .integer(let number): add(number, affinity)
        case .real(let number):
            // A real column returns its integers as reals.
            if affinity == .real { try add(number, affinity) } else { record.add(number) }
        case .text(let bytes):
            if case .text = value { return false }
            addText(bytes.span)
        case .blob(let bytes): record.add(bytes.span, isText: false)
        }
        return true
    }
}

extension Array where Element == UInt8 {
    init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}

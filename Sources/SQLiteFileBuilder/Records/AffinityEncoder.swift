internal import SQLiteAccess

/// Adds values to a record as SQLite's MakeRecord would: with the affinity of their columns.
///
/// Texts that plainly are numbers, or plainly are not, are decided here; the rest, and numbers in text columns, are asked of
/// SQLite itself in a database in memory.
struct AffinityEncoder: ~Copyable {
    var record: RecordEncoder
    private let asker = AffinityAsker()

    init(columns: Int) {
        record = RecordEncoder(columns: columns)
    }


    @inline(__always)
    mutating func add(_ value: Int64, _ affinity: ColumnAffinity) {
        switch affinity {
        case .text:
            record.add(String(value).utf8.span, isText: true)
        case .real where !(-140_737_488_355_328...140_737_488_355_327).contains(value):
            // As wide as a real, and then stored as one.
            record.add(Double(value))
        default:
            record.add(value)
        }
    }

    @inline(__always)
    mutating func add(_ value: Double, _ affinity: ColumnAffinity) throws(BuildError) {
        if value.isNaN {
            record.addNull()
            return
        }
        switch affinity {
        case .blob: record.add(value)
        case .text: try ask(.real(value), affinity)
        case .numeric, .integer, .real:
            // The two ends of the integers' range stay reals, as in SQLite.
            if let whole = Int64(exactly: value), whole > .min, whole < .max {
                add(whole, affinity)
            } else {
                record.add(value)
            }
        }
    }

    @inline(__always)
    mutating func add(text: Span<UInt8>, _ affinity: ColumnAffinity) throws(BuildError) {
        guard affinity.isNumeric else {
            record.add(text, isText: true)
            return
        }
        switch NumericText(text) {
        case .none: record.add(text, isText: true)
        case .integer(let value): add(value, affinity)
        case .real(let value): try add(value, affinity)
        case .unclear: try ask(.text(Array(copying: text)), affinity)
        }
    }

    @inline(__always)
    mutating func add(blob: Span<UInt8>) {
        record.add(blob, isText: false)
    }

    @inline(never)
    private mutating func ask(_ value: SQLiteValue, _ affinity: ColumnAffinity) throws(BuildError) {
        switch try asker.stored(value, affinity) {
        case .null: record.addNull()
        case .integer(let number): add(number, affinity)
        case .real(let number):
            // A real column gives its integers back as reals.
            if affinity == .real { try add(number, affinity) } else { record.add(number) }
        case .text(let bytes): record.add(bytes.span, isText: true)
        case .blob(let bytes): record.add(bytes.span, isText: false)
        }
    }
}

extension Array where Element == UInt8 {
    init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}

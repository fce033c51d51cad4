/// An entry of an index on columns that hold integers or NULL: sixteen bytes that sort by their first eight.
struct IntegerEntry: BitwiseCopyable {
    var key: UInt64 = 0
    var row: Int64 = 0
}

/// What an index has of a row, in one column or two of integers and NULL.
struct IndexedIntegers {
    var first: Int64?
    var second: Int64?
    var isPair: Bool

    var hasNull: Bool { first == nil || isPair && second == nil }
}

/// The order of an index on one column or two of integers and NULL as that of unsigned numbers, and back.
///
/// One column has all bits of such a number, and two have half of them each: join tables, whose indexes are on two
/// primary keys, fit in unless there are thousands of millions of objects. What does not fit is sorted another way.
struct IntegerOrder {
    private struct Column {
        /// Its position in the table; nil for the row id.
        let position: Int?
        let isDescending: Bool
    }

    private let first: Column
    private let second: Column?

    private static let halfBits: UInt64 = 32

    /// Nil if the index has more columns.
    init?(_ definition: IndexDefinition, of table: TableDefinition) {
        let columns = definition.columns.map { column in
            Column(
                position: column.position == table.rowIDColumn ? nil : column.position,
                isDescending: column.isDescending)
        }
        guard (1...2).contains(columns.count) else { return nil }
        first = columns[0]
        second = columns.count == 2 ? columns[1] : nil
    }

    // MARK: - Keys

    /// What the entry of a row sorts by; nil for what does not fit.
    @inline(__always)
    func key(_ rowID: Int64, _ row: borrowing RecordEncoder) -> UInt64? {
        guard let second else { return Self.key(first, rowID, row, Self.whole) }
        guard let high = Self.key(first, rowID, row, Self.half), let low = Self.key(second, rowID, row, Self.half)
        else {
            return nil
        }
        return high << Self.halfBits | low
    }

    /// What the entry of a row of two integers sorts by; nil for what does not fit.
    @inline(__always)
    func key(_ rowID: Int64, _ pair: IntegerPair) -> UInt64? {
        guard let second else { return Self.whole(Self.value(first, rowID, pair), first.isDescending) }
        guard let high = Self.half(Self.value(first, rowID, pair), first.isDescending),
            let low = Self.half(Self.value(second, rowID, pair), second.isDescending)
        else { return nil }
        return high << Self.halfBits | low
    }

    @inline(__always)
    private static func value(_ column: Column, _ rowID: Int64, _ pair: IntegerPair) -> Int64 {
        guard let position = column.position else { return rowID }
        return position == 0 ? pair.first : pair.second
    }

    @inline(__always)
    private static func key(
        _ column: Column, _ rowID: Int64, _ row: borrowing RecordEncoder, _ number: (Int64?, Bool) -> UInt64?
    ) -> UInt64? {
        guard let position = column.position else { return number(rowID, column.isDescending) }
        let slot = row.slot(position)
        return key(slot.type, row.body, at: slot.start, column.isDescending, number)
    }

    /// What an entry sorts by that was encoded before; nil for what does not fit.
    @inline(__always)
    func key(ofEntry bytes: borrowing ByteBuffer, at start: Int) -> UInt64? {
        // The sizes of the header and of these types take one byte each.
        let body = start + Int(bytes.load(UInt8.self, at: start))
        let type = UInt64(bytes.load(UInt8.self, at: start + 1))
        guard let second else { return Self.key(type, bytes, at: body, first.isDescending, Self.whole) }
        guard let high = Self.key(type, bytes, at: body, first.isDescending, Self.half) else { return nil }
        let next = body + SerialType.length(type)
        let secondType = UInt64(bytes.load(UInt8.self, at: start + 2))
        guard let low = Self.key(secondType, bytes, at: next, second.isDescending, Self.half) else { return nil }
        return high << Self.halfBits | low
    }

    @inline(__always)
    private static func key(
        _ type: UInt64, _ bytes: borrowing ByteBuffer, at start: Int, _ isDescending: Bool,
        _ number: (Int64?, Bool) -> UInt64?
    ) -> UInt64? {
        if type == SerialType.null { return number(nil, isDescending) }
        guard SerialType.isInteger(type) else { return nil }
        return number(SerialType.loadInteger(bytes, type, at: start), isDescending)
    }

    /// NULL comes before all integers. The lowest of these has its place, and does not fit.
    @inline(__always)
    private static func whole(_ value: Int64?, _ isDescending: Bool) -> UInt64? {
        guard let value else { return isDescending ? .max : 0 }
        guard value != .min else { return nil }
        let key = UInt64(bitPattern: value) ^ 1 << 63
        return isDescending ? ~key : key
    }

    @inline(__always)
    private static func half(_ value: Int64?, _ isDescending: Bool) -> UInt64? {
        var key: UInt32 = 0
        if let value {
            guard let value = Int32(exactly: value), value != .min else { return nil }
            key = UInt32(bitPattern: value) ^ 1 << 31
        }
        return UInt64(isDescending ? ~key : key)
    }

    // MARK: - Values

    /// What a key was made of.
    @inline(__always)
    func values(_ key: UInt64) -> IndexedIntegers {
        guard let second else {
            let key = first.isDescending ? ~key : key
            return IndexedIntegers(
                first: key == 0 ? nil : Int64(bitPattern: key ^ 1 << 63), second: nil, isPair: false)
        }
        return IndexedIntegers(
            first: Self.value(key >> Self.halfBits, first.isDescending), second: Self.value(key, second.isDescending),
            isPair: true)
    }

    @inline(__always)
    private static func value(_ key: UInt64, _ isDescending: Bool) -> Int64? {
        let half = UInt32(truncatingIfNeeded: isDescending ? ~key : key)
        return half == 0 ? nil : Int64(Int32(bitPattern: half ^ 1 << 31))
    }
}

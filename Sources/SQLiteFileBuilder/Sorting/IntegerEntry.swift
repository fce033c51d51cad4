/// An entry of an index on columns that hold integers or NULL: sixteen bytes, of which the first eight are the sort
/// key.
struct IntegerEntry: BitwiseCopyable {
    var key: UInt64 = 0
    var row: Int64 = 0
}

/// A row's values in an index on one or two columns of numbers and NULL.
struct IndexedNumbers {
    /// An integer; nil for NULL, or if the first value is a real.
    var first: Int64?
    var real: Double?
    var second: Int64?
    var isPair = false

    var hasNull: Bool { first == nil && real == nil || isPair && second == nil }
}

/// Converts between the values of an index on one or two columns of numbers and NULL, and unsigned numbers that have
/// the same order.
///
/// A single column takes all bits of the number, and two columns half of them each. Two primary keys, as in the indexes
/// of join tables, fit unless there are billions of objects. Reals fit if their column is the only one. Entries that do
/// not fit are sorted in another way.
struct IntegerOrder {
    private struct Column {
        /// The position in the table; nil for the row ID.
        let position: Int?
        let isDescending: Bool
        /// The whole numbers that a real column stores as integers, no two of which are the same real; nil for other
        /// columns.
        let wholeNumbers: ClosedRange<Int64>?
    }

    private let first: Column
    private let second: Column?

    private static let halfBits: UInt64 = 32

    /// Returns nil if the index has more columns.
    init?(_ definition: IndexDefinition, of table: TableDefinition) {
        guard (1...2).contains(definition.columns.count) else { return nil }
        let isAlone = definition.columns.count == 1
        let columns = definition.columns.map { column in
            let position = column.position == table.rowIDColumn ? nil : column.position
            return Column(
                position: position, isDescending: column.isDescending,
                wholeNumbers: isAlone ? position.flatMap { Self.wholeNumbers(table.columns[$0].affinity) } : nil)
        }
        first = columns[0]
        second = isAlone ? nil : columns[1]
    }

    private static func wholeNumbers(_ affinity: ColumnAffinity) -> ClosedRange<Int64>? {
        switch affinity {
        case .numeric: -(1 << 53)...1 << 53
        // Numbers that need more bits are stored as reals.
        case .real: -(1 << 47)...(1 << 47) - 1
        case .integer, .text, .blob: nil
        }
    }

    // MARK: - Keys

    /// Returns the sort key of a row's entry; nil if the values do not fit.
    @inline(__always)
    func key(_ rowID: Int64, _ row: borrowing RecordEncoder) -> UInt64? {
        guard let second else {
            guard let position = first.position else { return Self.whole(rowID, first) }
            let slot = row.slot(position)
            if slot.type == SerialType.null { return Self.whole(nil, first) }
            if slot.type == SerialType.real {
                return Self.real(Double(bitPattern: row.body.load(at: slot.start)), first)
            }
            guard SerialType.isInteger(slot.type) else { return nil }
            return Self.whole(SerialType.loadInteger(row.body, slot.type, at: slot.start), first)
        }
        guard let high = Self.half(first, rowID, row), let low = Self.half(second, rowID, row) else { return nil }
        return high << Self.halfBits | low
    }

    /// Returns the sort key of the entry of a row of integers; nil if the values do not fit.
    @inline(__always)
    func key(_ rowID: Int64, _ row: IntegerRow) -> UInt64? {
        guard let second else { return Self.whole(Self.value(first, rowID, row), first) }
        guard let high = Self.half(Self.value(first, rowID, row), first.isDescending),
            let low = Self.half(Self.value(second, rowID, row), second.isDescending)
        else { return nil }
        return high << Self.halfBits | low
    }

    @inline(__always)
    private static func value(_ column: Column, _ rowID: Int64, _ row: IntegerRow) -> Int64 {
        column.position.map { row[$0] } ?? rowID
    }

    /// Returns the key of an integer or NULL. NULL comes before all numbers, in the place of the lowest integer, which
    /// does not fit.
    @inline(__always)
    private static func whole(_ value: Int64?, _ column: Column) -> UInt64? {
        guard let value else { return column.isDescending ? .max : 0 }
        if let wholeNumbers = column.wholeNumbers {
            guard wholeNumbers.contains(value) else { return nil }
            return key(Double(value), column)
        }
        guard value != .min else { return nil }
        let key = UInt64(bitPattern: value) ^ 1 << 63
        return column.isDescending ? ~key : key
    }

    /// Returns the key of a real; nil if the column represents the same number by an integer elsewhere.
    @inline(__always)
    private static func real(_ value: Double, _ column: Column) -> UInt64? {
        guard column.wholeNumbers != nil, !value.isNaN, integer(value, column) == nil else { return nil }
        return key(value, column)
    }

    /// Returns a key that sorts reals by value: the bits of positive numbers, and the inverted bits of negative ones.
    @inline(__always)
    private static func key(_ value: Double, _ column: Column) -> UInt64 {
        let bits = value.bitPattern
        let key = bits >> 63 == 1 ? ~bits : bits | 1 << 63
        return column.isDescending ? ~key : key
    }

    /// Returns the integer that a real column stores for a value; nil for a value that stays a real.
    @inline(__always)
    private static func integer(_ value: Double, _ column: Column) -> Int64? {
        guard let wholeNumbers = column.wholeNumbers, let whole = Int64(exactly: value), wholeNumbers.contains(whole)
        else { return nil }
        return whole
    }

    @inline(__always)
    private static func half(_ column: Column, _ rowID: Int64, _ row: borrowing RecordEncoder) -> UInt64? {
        guard let position = column.position else { return half(rowID, column.isDescending) }
        let slot = row.slot(position)
        if slot.type == SerialType.null { return half(nil, column.isDescending) }
        guard SerialType.isInteger(slot.type) else { return nil }
        return half(SerialType.loadInteger(row.body, slot.type, at: slot.start), column.isDescending)
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

    /// Returns the values from which a key was made.
    @inline(__always)
    func values(_ key: UInt64) -> IndexedNumbers {
        guard second != nil else {
            let key = first.isDescending ? ~key : key
            if key == 0 { return IndexedNumbers() }
            guard first.wholeNumbers != nil else { return IndexedNumbers(first: Int64(bitPattern: key ^ 1 << 63)) }
            let value = Double(bitPattern: key >> 63 == 1 ? key ^ 1 << 63 : ~key)
            if let whole = Self.integer(value, first) { return IndexedNumbers(first: whole) }
            return IndexedNumbers(real: value)
        }
        return IndexedNumbers(
            first: Self.value(key >> Self.halfBits, first.isDescending),
            second: Self.value(key, second?.isDescending ?? false), isPair: true)
    }

    @inline(__always)
    private static func value(_ key: UInt64, _ isDescending: Bool) -> Int64? {
        let half = UInt32(truncatingIfNeeded: isDescending ? ~key : key)
        return half == 0 ? nil : Int64(Int32(bitPattern: half ^ 1 << 31))
    }
}

public import SQLiteAccess

/// The source of a column's value when rows are copied from one table's records to another's.
public enum RecordColumn {
    /// SQL's NULL, whatever the record contains.
    case null
    /// The row ID of the record.
    case rowID
    /// A value that is the same for every record.
    case constant(SQLiteValue)
    /// The value at a position, counted from 0, of a column with an affinity; NULL if the record ends before it.
    case value(Int, ColumnAffinity)
    /// Like `value`, with another value in place of NULL.
    case filled(Int, ColumnAffinity, SQLiteValue)
    /// The integer at a position, or its replacement.
    case replaced(Int, SmallNumbers)
    /// The result of a function of the values at some positions, which have these affinities. Position -1 is the row ID
    /// of the record.
    case evaluated([(position: Int, affinity: ColumnAffinity)], any RecordFunction)
    /// A column of the statement that is at the same row.
    case computed(Int32)
}

/// Replacements of small numbers, such as the numbers of entities.
public struct SmallNumbers: Sendable {
    /// The replacement of each number; nil for a number that stays the same.
    private var replacements: [Int64?] = []

    /// The largest number that can have a replacement.
    private static let largest: Int64 = 1 << 16

    /// Creates replacements from pairs; returns nil if a number is negative or larger than 65536.
    public init?(_ pairs: [Int64: Int64]) {
        for (number, replacement) in pairs {
            guard (0...Self.largest).contains(number) else { return nil }
            while replacements.count <= Int(number) { replacements.append(nil) }
            replacements[Int(number)] = replacement
        }
    }

    /// The replacement of a number; nil if it has none.
    @inline(__always)
    public subscript(number: Int64) -> Int64? {
        number >= 0 && number < Int64(replacements.count) ? replacements[Int(number)] : nil
    }
}

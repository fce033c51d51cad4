public import SQLiteAccess

/// Where the value of a column that is written comes from in a record that is read.
public enum RecordColumn {
    /// SQL's NULL, whatever the record has.
    case null
    /// The row ID of the record.
    case rowID
    /// The same value for every record.
    case constant(SQLiteValue)
    /// The value at a position, counted from 0, of a column with an affinity; NULL if the record ends before it.
    case value(Int, ColumnAffinity)
    /// As `value`, with a value in the place of NULL.
    case filled(Int, ColumnAffinity, SQLiteValue)
    /// The integer at a position, or what it is replaced by.
    case replaced(Int, SmallNumbers)
    /// What a function makes of the values at some positions, of columns with these affinities; at -1 is the row ID of
    /// the record.
    case evaluated([(position: Int, affinity: ColumnAffinity)], any RecordFunction)
    /// The column of a statement that is at the same row.
    case computed(Int32)
}

/// What small numbers, such as those of entities, are replaced by.
public struct SmallNumbers: Sendable {
    /// By number; nil for a number that stays.
    private var replacements: [Int64?] = []

    /// Larger numbers have no replacement here.
    private static let largest: Int64 = 1 << 16

    /// Makes replacements of pairs; nil if a number is negative or larger than 65536.
    public init?(_ pairs: [Int64: Int64]) {
        for (number, replacement) in pairs {
            guard (0...Self.largest).contains(number) else { return nil }
            while replacements.count <= Int(number) { replacements.append(nil) }
            replacements[Int(number)] = replacement
        }
    }

    /// What replaces a number; nil if nothing does.
    @inline(__always)
    public subscript(number: Int64) -> Int64? {
        number >= 0 && number < Int64(replacements.count) ? replacements[Int(number)] : nil
    }
}

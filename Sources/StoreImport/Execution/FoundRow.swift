import RecordConversion
import SQLiteAccess
import SQLiteFileBuilder
import TextEncodings

/// A row of the store in which an object was found, no matter how it is read. Its columns are numbered from 0.
protocol FoundRow {
    /// Returns how a value is stored.
    func storageClass(_ column: Int32) -> StorageClass
    func isNull(_ column: Int32) -> Bool
    /// Returns an integer, or what SQLite converts another value to.
    func integer(_ column: Int32) -> Int64
    /// Returns a real number, or an integer as a real number.
    func real(_ column: Int32) -> Double
    /// Calls a closure with the bytes of a text (UTF-8) or a blob.
    func withSpan<Result, Failure: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result
    /// Returns the index of the first cell, beginning with a given one, that may differ from the row. The cells are
    /// compared with the columns that begin at `column`.
    func firstDifference(
        from first: Int, of cells: Span<ArenaValue>, at column: Int32, in arena: Span<UInt8>
    ) -> Int
}

extension Statement: FoundRow {
    func firstDifference(
        from first: Int, of cells: Span<ArenaValue>, at column: Int32, in arena: Span<UInt8>
    ) -> Int { first }
}

extension TableRows: FoundRow {
    func isNull(_ column: Int32) -> Bool { storageClass(column) == .null }
}

extension FoundRow {
    /// Returns a copy of the bytes of a blob; nil for all other values.
    func blob(_ column: Int32) -> [UInt8]? {
        storageClass(column) == .blob ? bytes(column) : nil
    }

    private func bytes(_ column: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        withSpan(column) { bytes.append(copying: $0) }
        return bytes
    }

    /// Returns whether a column contains a value in the form in which a store keeps it.
    func holds(_ value: ConvertedValue, in arena: [UInt8], at column: Int32, isDecimal: Bool) -> Bool {
        switch value {
        case .null: return isNull(column)
        case .integer(let number): return storageClass(column) == .integer && integer(column) == number
        case .real(let number):
            // Columns with numeric affinity store whole numbers as integers.
            switch storageClass(column) {
            case .integer: return Double(integer(column)) == number
            case .real: return real(column) == number
            default: return false
            }
        case .text(let range):
            if isDecimal { return holdsDecimal(arena[range.range], at: column) }
            guard storageClass(column) == .text else { return false }
            return withSpan(column) { KeyHash.isEqual($0, arena.span.extracting(range.range)) }
        case .blob(let range):
            guard storageClass(column) == .blob else { return false }
            return withSpan(column) { KeyHash.isEqual($0, arena.span.extracting(range.range)) }
        }
    }

    /// Returns whether a column contains a decimal. Its digits are stored as a number if the affinity of the column
    /// converts them.
    private func holdsDecimal(_ digits: ArraySlice<UInt8>, at column: Int32) -> Bool {
        let text = String(decoding: digits, as: UTF8.self)
        switch storageClass(column) {
        case .integer: return Int64(text) == integer(column) || Double(text) == Double(integer(column))
        case .real: return Double(text) == real(column)
        case .text: return String(decoding: bytes(column), as: UTF8.self) == text
        default: return false
        }
    }
}

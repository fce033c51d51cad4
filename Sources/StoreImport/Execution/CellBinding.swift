import RecordConversion
import SQLiteAccess

extension Statement {
    /// Binds a converted value whose bytes lie in a batch's arena.
    func bind(_ value: ConvertedValue, in arena: [UInt8], at index: Int32) throws(SQLiteError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let number): try bindInteger(number, at: index)
        case .real(let number): try bindReal(number, at: index)
        case .text(let range): try bindText(copying: arena.span.extracting(range.range), at: index)
        case .blob(let range): try bindBlob(copying: arena.span.extracting(range.range), at: index)
        }
    }

    func bind(_ value: ConvertedDefault, at index: Int32) throws(SQLiteError) {
        switch value {
        case .integer(let number): try bindInteger(number, at: index)
        case .real(let number): try bindReal(number, at: index)
        case .text(let bytes): try bindText(copying: bytes, at: index)
        case .blob(let bytes): try bindBlob(copying: bytes, at: index)
        }
    }

    /// Whether a column of the current row holds this value as a store would hold it.
    func holds(_ value: ConvertedValue, in arena: [UInt8], at column: Int32, isDecimal: Bool) -> Bool {
        switch value {
        case .null: return isNull(column)
        case .integer(let number): return storageClass(column) == .integer && integer(column) == number
        case .real(let number):
            // Columns of numeric affinity hold whole numbers as integers.
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

    /// A decimal's digits are stored as a number where that is what the column's affinity makes of them.
    private func holdsDecimal(_ digits: ArraySlice<UInt8>, at column: Int32) -> Bool {
        let text = String(decoding: digits, as: UTF8.self)
        switch storageClass(column) {
        case .integer: return Int64(text) == integer(column) || Double(text) == Double(integer(column))
        case .real: return Double(text) == real(column)
        case .text: return string(column) == text
        default: return false
        }
    }
}

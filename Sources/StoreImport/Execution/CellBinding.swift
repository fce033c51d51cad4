import RecordConversion
import SQLiteAccess

extension Statement {
    /// Binds a converted value whose bytes are in a batch's arena.
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
}

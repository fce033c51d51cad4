import TextEncodings

/// A value for a parameter of a statement; the bytes of texts and blobs are in a separate arena.
///
/// It takes sixteen bytes and has no references, so that thousands of values are one allocation, and binding them
/// copies nothing.
public enum ArenaValue: Equatable, Sendable {
    /// SQL's NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case real(Double)
    /// A text in UTF-8.
    case text(ArenaRange)
    /// Bytes without a text encoding.
    case blob(ArenaRange)

    /// Returns the value with its own copy of the bytes.
    public func sqliteValue(in arena: [UInt8]) -> SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(Array(arena[range.range]))
        case .blob(let range): .blob(Array(arena[range.range]))
        }
    }
}

extension Statement {
    /// Returns a column of the current row, and appends its bytes to an arena.
    public func arenaValue(_ column: Int32, _ arena: inout [UInt8]) -> ArenaValue {
        withValue(column) { value in
            switch value.storageClass {
            case .null: .null
            case .integer: .integer(value.integer)
            case .real: .real(value.real)
            case .text: .text(value.withSpan(ofBlob: false) { arena.appendRange($0) })
            case .blob: .blob(value.withSpan(ofBlob: true) { arena.appendRange($0) })
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func appendRange(_ bytes: Span<UInt8>) -> ArenaRange {
        let start = count
        append(copying: bytes)
        return ArenaRange(start: start, count: bytes.count)
    }
}

import SQLiteAccess

extension SQLiteValue {
    /// The value for a message, shortened.
    var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let bytes): "\"" + String(decoding: bytes.prefix(80), as: UTF8.self) + "\""
        case .blob(let bytes): "of \(bytes.count) bytes"
        }
    }

    var blobOrText: [UInt8] {
        switch self {
        case .text(let bytes), .blob(let bytes): bytes
        case .null: []
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        }
    }
}

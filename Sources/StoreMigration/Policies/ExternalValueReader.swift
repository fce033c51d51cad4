import PersistentStores
import SQLiteAccess

/// Reads values that may be in files of their own (docs/format/sqlite-store.md#external-binary-data): tag 1 and the
/// data, or tag 2, 36 characters of a file name, and NUL.
struct ExternalValueReader {
    let directory: String
    /// The path of the store in error messages.
    let path: String

    /// The maximum size of a value in a row, in bytes.
    let largest: Int64

    func value(_ statement: Statement, _ column: Int32, name: String, key: Int64) throws -> [UInt8] {
        try content(of: statement.withBytes(column) { Array($0) }, name: name, key: key)
    }

    func value(_ row: PolicyRow, _ column: Int32, name: String, key: Int64) throws -> [UInt8] {
        try content(of: row.bytes(column), name: name, key: key)
    }

    private func content(of value: [UInt8], name: String, key: Int64) throws -> [UInt8] {
        switch value.first {
        case 1: return Array(value.dropFirst())
        case 2:
            let text = value.dropFirst().prefix { $0 != 0 }
            let file = String(decoding: text, as: UTF8.self)
            guard ExternalRecord.isName(file) else {
                throw MigrationError(.externalValueMalformed(column: name, key: key), path: path)
            }
            if let size = FileSystem.size(directory + "/" + file), size > largest {
                throw MigrationError(
                    .externalRecordTooLarge(column: name, key: key, file: file, bytes: size, largest: largest),
                    path: path)
            }
            guard let content = try ExternalRecord.content(named: file, in: directory) else {
                throw MigrationError(.externalRecordMissing(column: name, key: key, file: file), path: path)
            }
            return content
        default: throw MigrationError(.externalValueMalformed(column: name, key: key), path: path)
        }
    }
}

import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// What a store has, asked by queries of the test's own.
enum StoreRows {
    /// The rows as texts; NULL is empty.
    static func of(_ store: String, _ sql: String) throws -> [[String]] {
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        return try connection.rows(sql).map { row in
            row.map { value in
                switch value {
                case .null: ""
                case .integer(let number): "\(number)"
                case .real(let number): "\(number)"
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .blob(let bytes): "\(bytes.count) bytes"
                }
            }
        }
    }

    /// An independent program finds nothing wrong.
    static func expectSound(_ store: String, _ model: String) throws {
        guard StoreChecker.isPresent else { return }
        for command in ["layout", "integrity"] {
            let result = try ToolProcess.run(
                "/usr/bin/env", ["python3", StoreChecker.path ?? "", command, store, model])
            #expect(result.output.contains("\(command): 0 errors"), "\(result.summary)")
        }
    }
}

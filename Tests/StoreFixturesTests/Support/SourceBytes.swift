import Foundation

/// Whole files.
enum SourceBytes {
    static func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

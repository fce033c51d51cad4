import Foundation
import SQLiteAccess
import TestSupport

/// What `Tests/ImportFacts/facts` told of the corpus, which shares no code with the tool.
struct KnownFacts {
    static let folder = URL(fileURLWithPath: Samples.path).deletingLastPathComponent()
        .appendingPathComponent("Tests/ImportFacts").path

    private let values: [String: String]

    init() throws {
        let text = try String(contentsOfFile: Self.folder + "/facts.txt", encoding: .utf8)
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }

    /// The names of a group's facts, such as those of `gtfs`.
    func names(of group: String) -> [String] { values.keys.filter { $0.hasPrefix(group + ".") } }

    /// The rows of a query as the script writes them: sorted by their bytes, values joined by a bar.
    static func rows(_ query: String, _ connection: Connection) throws -> [String] {
        try connection.rows(query).map { $0.map(Self.text).joined(separator: "|") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func text(_ value: SQLiteValue) -> String {
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(format: "%.10g", number)
        case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// FNV-1a of 64 bits over the rows, each with a line feed behind.
    static func digest(_ rows: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for row in rows {
            for byte in Array(row.utf8) + [0x0A] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        return String(String(repeating: "0", count: 16) + String(hash, radix: 16)).suffix(16).lowercased()
    }
}

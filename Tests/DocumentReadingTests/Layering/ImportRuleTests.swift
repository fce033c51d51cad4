import Foundation
import TestSupport
import Testing

@Suite
struct ImportRuleTests {
    /// The targets that may import each module; every other one must not.
    private static let rules: [(module: String, targets: Set<String>)] = [
        ("CLibXML", ["DocumentReading"]), ("CLibYAML", ["DocumentReading"]), ("CNettle", ["ManagedObjectModels"]),
        ("CSQLite", ["SQLiteAccess"]), ("CZlib", ["CompressedStreams"]),
        ("CZstd", ["CompressedStreams"]),
    ]

    @Test(.long) func cLibrariesAreImportedByTheirWrappersOnly() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path
        let walker = try #require(FileManager.default.enumerator(atPath: sources))
        var importers: [String: Set<String>] = [:]
        for case let file as String in walker where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
            for line in text.split(whereSeparator: \.isNewline) where line.contains("import ") {
                let words = line.split(separator: " ")
                guard words.count >= 2, words.dropLast().last == "import", let module = words.last else { continue }
                importers[String(module), default: []].insert(String(file.prefix { $0 != "/" }))
            }
        }
        for rule in Self.rules { #expect(importers[rule.module] == rule.targets, "\(rule.module)") }
    }
}

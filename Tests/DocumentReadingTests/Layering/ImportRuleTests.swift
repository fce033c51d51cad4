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

    @Test(.long, arguments: rules.map(\.module))
    func cLibrariesAreImportedByTheirWrappersOnly(module: String) throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path
        let allowed = try #require(Self.rules.first { $0.module == module }).targets
        let walker = try #require(FileManager.default.enumerator(atPath: sources))
        var importers: Set<String> = []
        for case let file as String in walker where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
            let words = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
            guard words.contains(where: { $0.count >= 2 && $0.dropLast().last == "import" && $0.last == module[...] })
            else { continue }
            importers.insert(String(file.prefix { $0 != "/" }))
        }
        #expect(importers == allowed)
    }
}

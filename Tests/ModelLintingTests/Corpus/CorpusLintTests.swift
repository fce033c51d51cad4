import Foundation
import ManagedObjectModels
import ModelLinting
import TestSupport
import Testing

/// Real models: the counts of some codes against a script that reads the XML by itself.
@Suite(.enabled(if: Corpus.isPresent, "there is no corpus"))
struct CorpusLintTests {
    private static let counted: Set<String> = [
        "FM102", "FM104", "FM201", "FM205", "FM206", "FM207", "FM210", "FM301", "FM304", "FM307", "FM311", "FM405",
    ]

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("count-findings.py").path

    /// `PATH<tab>CODE<tab>COUNT` of every model, as the script counts.
    private func expected(_ files: [String]) throws -> Set<String> {
        let directory = try TemporaryDirectory()
        let list = try directory.write(files.map { $0 + "\n" }.joined(), to: "files")
        let run = try ToolProcess.run("/usr/bin/env", ["sh", "-c", "python3 \"$0\" < \"$1\"", Self.script, list])
        try #require(run.status == 0, "\(run.summary.suffix(2000))")
        return Set(run.output.split(separator: "\n").map { String($0) })
    }

    @Test(.long) func countsPerCodeAreThoseOfTheScript() throws {
        let files = Corpus.files(under: "1_models") { $0 == "contents" }
        #expect(files.count > 900)
        var found: Set<String> = []
        for file in files {
            let version = try ModelVersions(path: file).versions[0]
            let codes = ModelLinter.findings(in: version).map(\.code.rawValue).filter(Self.counted.contains)
            for (code, findings) in Dictionary(grouping: codes, by: { $0 }) {
                found.insert("\(file)\t\(code)\t\(findings.count)")
            }
        }
        let expected = try expected(files)
        #expect(expected.count > 1900)
        #expect(found.subtracting(expected).sorted().prefix(5) == [])
        #expect(expected.subtracting(found).sorted().prefix(5) == [])
    }

    /// What Xcode compiled and Apple accepted has few errors by our rules: every one was looked at.
    @Test(.long) func shippedModelsHaveNoErrorsButThoseThatAreKnown() throws {
        var errors: Set<String> = []
        for file in Corpus.files(under: "1_models", where: { $0 == "contents" }) {
            let version = try ModelVersions(path: file).versions[0]
            for finding in ModelLinter.findings(in: version) where finding.severity == .error {
                errors.insert("\(finding.code.rawValue) \(finding.subject ?? "-")")
            }
        }
        #expect(errors == ["FM201 ZimFile.attribute"])
    }

    @Test(.long) func everyFindingOfALongHistoryHasALine() throws {
        let bundles = Corpus.files(under: "1_models") { $0 == ".xccurrentversion" }
            .filter { $0.contains("/WooCommerce.xcdatamodeld/") && !$0.contains("HISTORY") }
        let file = try #require(bundles.first)
        let versions = try ModelVersions(path: (file as NSString).deletingLastPathComponent).versions
        var counts: [LintCode: Int] = [:]
        for (old, new) in zip(versions, versions.dropFirst()) {
            for finding in try ModelLinter.findings(from: old, to: new) {
                counts[finding.code, default: 0] += 1
                #expect(finding.line != nil)
            }
        }
        #expect(versions.count > 100)
        #expect(counts[.lostData] ?? 0 > 20)
        #expect(counts[.shippedVersionChanged] == nil)
    }
}

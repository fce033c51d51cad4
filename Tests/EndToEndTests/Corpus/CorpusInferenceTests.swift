import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

/// `ferry infer --output m.yaml` and `ferry migrate --mapping m.yaml` do for versions of real models what
/// `ferry migrate` does: the same rows in the same way, with the same report.
///
/// `FERRY_VERSION_PAIRS=200` tries more of them.
@Suite(.enabled(if: StoreChecker.isPresent, "the corpus or its checker is not on this machine"))
struct CorpusInferenceTests {
    /// What inference refuses, or warns of, is for a mapping model to decide.
    private static let decided = ["missing-relationship", "several-sources", "\"error\""]

    @Test(.long, arguments: CorpusVersionTests.pairs)
    func theWrittenFormIsTheSameMigration(_ pair: CorpusVersionTests.Pair) throws {
        let folder = try StoreFolder()
        let model = try ResolvedModel(ModelVersions(path: pair.source).current().model())
        var content = RandomContent(model: model, seed: 6)
        try StoreWriter().write(content.content(upTo: 6), of: model, to: folder.store)
        let versions = [
            "--models", FileSystem.directory(of: pair.source), "--from", pair.source, "--to", pair.destination,
        ]
        let mapping = folder.directory.file("m.yaml")
        guard try ToolProcess.ferry(["infer"] + versions + ["--output", mapping]).status < 2 else { return }
        let words = ["migrate", folder.store] + versions + ["--json", "--progress", "none"]
        let dryRun = try ToolProcess.ferry(words + ["--dry-run"])
        guard !Self.decided.contains(where: dryRun.output.contains) else { return }
        let (direct, mapped) = (folder.directory.file("Direct.sqlite"), folder.directory.file("Mapped.sqlite"))
        let first = try ToolProcess.ferry(words + ["--chain", "direct", "--output", direct])
        let second = try ToolProcess.ferry(words + ["--mapping", mapping, "--output", mapped])
        #expect(first.status < 2 && second.status == first.status, "\(first.summary)\n\(second.summary)")
        guard first.status < 2 else { return }
        #expect(try Self.outline(first) == Self.outline(second), "\(pair)")
        #expect(try StoreDump(of: mapped).differences(from: StoreDump(of: direct)) == [], "\(pair)")
    }

    /// The report without paths and times.
    private static func outline(_ run: ToolProcess.Result) throws -> String {
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let report = try #require(json as? [String: Any])
        let entities = try #require(report["entities"] as? [[String: Any]]).map { entity in
            entity.filter { $0.key != "seconds" }
        }
        let kept = ["method", "keptTables", "rowsRead", "rowsWritten", "findings"]
        var result = report.filter { kept.contains($0.key) }
        result["entities"] = entities.sorted { "\($0["mapping"] ?? "")" < "\($1["mapping"] ?? "")" }
        return String(decoding: try JSONSerialization.data(withJSONObject: result, options: .sortedKeys), as: UTF8.self)
    }
}

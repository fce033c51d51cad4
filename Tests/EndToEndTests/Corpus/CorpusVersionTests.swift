import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

/// Versions of real models, with stores made for them: the tool and the independent checker agree on what can be
/// migrated, and on what comes out.
///
/// `FERRY_VERSION_PAIRS=200` tries more of them.
@Suite(.enabled(if: StoreChecker.isPresent, "the corpus or its checker is not on this machine"))
struct CorpusVersionTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        /// The paths of two `.xcdatamodel` of one bundle.
        let source: String
        let destination: String

        var testDescription: String { "\(FileSystem.name(of: source)) -> \(FileSystem.name(of: destination))" }
    }

    /// The oldest to the newest version of a bundle, two neighbours of the next, spread over all bundles.
    static let pairs: [Pair] = {
        let files = Corpus.files(under: "1_models") { $0 == "contents" }.map { FileSystem.directory(of: $0) }
        let bundles = Dictionary(grouping: files, by: FileSystem.directory).filter {
            $0.key.hasSuffix(".xcdatamodeld") && $0.value.count > 1
        }
        let all = bundles.sorted { $0.key < $1.key }.enumerated().map { index, bundle in
            let versions = bundle.value.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            let first = index % 2 == 0 ? 0 : versions.count / 2 - 1
            return Pair(source: versions[first], destination: versions[index % 2 == 0 ? versions.count - 1 : first + 1])
        }
        let wanted = TestSettings.number("FERRY_VERSION_PAIRS", default: 20)
        return all.enumerated().filter { $0.offset % max(1, all.count / wanted) == 0 }.map(\.element)
    }()

    /// What the checker does not count, or counts otherwise: each is refused for a reason of its own.
    private static let uncounted: Set<String> = ["uniqueness-violated", "shared-destinations", "no-common-entity"]

    @Test(.long, arguments: pairs)
    func verdictAndResultAreTheCheckers(_ pair: Pair) throws {
        let folder = try StoreFolder()
        let model = try ResolvedModel(ModelVersions(path: pair.source).current().model())
        var content = RandomContent(model: model, seed: 5)
        try StoreWriter().write(content.content(upTo: 6), of: model, to: folder.store)
        let bundle = FileSystem.directory(of: pair.source)
        let words = ["--models", bundle, "--from", pair.source, "--to", pair.destination, "--progress", "none"]
        let dryRun = try ToolProcess.ferry(["migrate", folder.store, "--dry-run", "--json"] + words)
        let plan = try PlanReading(dryRun.output)
        let opinion = try StoreChecker.check("migrated", folder.store, pair.source, folder.store, pair.destination)
        let isRefused = dryRun.status == 2
        if opinion.status == 3 {
            #expect(isRefused, "the checker: \(opinion.text), the tool: \(dryRun.summary)")
        } else if isRefused {
            #expect(plan.refusals.isSubset(of: Self.uncounted), "the checker would, the tool: \(dryRun.summary)")
        }
        for placement in Placement.allCases {
            let (run, result) = try folder.migrate(placement, words)
            #expect(run.signal == nil && (run.status == 2) == isRefused, "\(placement): \(run.summary)")
            guard !isRefused, run.status < 2, plan.upToDate != true else { continue }
            let check = ResultCheck(
                original: folder.store, sourceModel: pair.source, result: result, destinationModel: pair.destination)
            #expect(try check.faults() + check.leftovers() == [], "\(placement): \(run.summary)")
        }
    }
}

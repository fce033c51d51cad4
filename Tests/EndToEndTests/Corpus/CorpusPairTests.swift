import PersistentStores
import TestSupport
import Testing

/// The real stores of the corpus, each migrated from its own version to the newest in one step.
@Suite(.enabled(if: StoreChecker.isPresent, "the corpus or its checker is not on this machine"))
struct CorpusPairTests {
    /// Its metadata say version 3, and its tables are those of version 2.
    private static let corrupt = "v2CorruptDatabase"

    private static let pairs = CorpusStorePairs.all.filter { !$0.store.contains(corrupt) }

    @Test func theListIsUnderstood() {
        #expect(Self.pairs.count > 50)
    }

    @Test(.long, arguments: pairs)
    func migratesIntoANewStore(_ pair: CorpusStorePairs.Pair) throws {
        try migrate(pair, .output)
    }

    @Test(.long, arguments: pairs.enumerated().filter { $0.offset % 6 == 1 }.map(\.element))
    func isReplaced(_ pair: CorpusStorePairs.Pair) throws {
        try migrate(pair, .replace)
    }

    /// Pairs of which one step to the newest version would drop values that go over version by version.
    private static let kept = [23, 24, 25, 46]

    /// All where `FERRY_TEST_EVERY_PAIR` says so.
    private static var somePairs: [CorpusStorePairs.Pair] {
        TestSettings.value("FERRY_TEST_EVERY_PAIR") != nil
            ? pairs
            : pairs.enumerated().filter { kept.contains($0.element.number) || $0.offset % 12 == 3 }.map(\.element)
    }

    /// Without `--chain direct`: one step as well, as the app takes it.
    @Test(.long, arguments: somePairs)
    func takesTheAppsOneStep(_ pair: CorpusStorePairs.Pair) throws {
        try migrate(pair, .output, [])
    }

    @Test(.long, arguments: pairs.filter { kept.contains($0.number) })
    func keepsMoreOverVersionsWhereThatIsAskedFor(_ pair: CorpusStorePairs.Pair) throws {
        try migrate(pair, .output, Self.overVersions)
    }

    private static let overVersions = ["--chain", "versions"]

    @Test(.long, arguments: pairs.enumerated().filter { $0.offset % 6 == 4 }.map(\.element))
    func isChangedInPlace(_ pair: CorpusStorePairs.Pair) throws {
        try migrate(pair, .inPlace)
    }

    private func migrate(
        _ pair: CorpusStorePairs.Pair, _ placement: Placement, _ way: [String] = ["--chain", "direct"]
    ) throws {
        var outcome = "there are no models for it"
        for candidate in pair.candidates {
            let folder = try StoreFolder(copying: pair.path)
            let before = try FolderState(of: folder.directory.file("original"))
            let bundle = FileSystem.directory(of: FileSystem.directory(of: candidate.source))
            let (run, result) = try folder.migrate(
                placement, ["--models", bundle, "--to", version(candidate.destination)] + way)
            outcome = run.summary
            // The models of another commit; those of the next one may be the store's.
            if run.errors.contains("no version has its hashes") { continue }
            #expect(run.signal == nil && run.status < 2, "\(pair): \(run.summary)")
            guard run.signal == nil, run.status < 2 else { return }
            let check = ResultCheck(
                original: folder.store, sourceModel: candidate.source, result: result,
                destinationModel: candidate.destination)
            var faults = try check.faults() + check.leftovers()
            let isChain = run.output.contains(" steps")
            #expect(isChain == (way == Self.overVersions), "\(pair): \(run.summary)")
            // The checker knows one step only: what that would drop is expected to be NULL.
            if isChain { faults.removeAll { $0.hasPrefix("migrated: ") && $0.contains("should be NULL") } }
            #expect(faults == [], "\(pair): \(run.summary)")
            if placement == .output {
                // Whatever the checker leaves beside the original, it is not the tool's.
                let copy = try FolderState(of: folder.directory.file(placement.rawValue))
                #expect(copy.byteDifferences(from: before) == [])
            }
            return
        }
        Issue.record("\(pair): \(outcome)")
    }

    private func version(_ contents: String) -> String {
        String(FileSystem.name(of: FileSystem.directory(of: contents)).dropLast(".xcdatamodel".count))
    }

    @Test func aStoreWhoseTablesAreThoseOfAnotherVersionIsRefusedUntilThatIsNamed() throws {
        let pair = try #require(CorpusStorePairs.all.first { $0.store.contains(Self.corrupt) })
        let candidate = try #require(pair.candidates.first)
        let bundle = FileSystem.directory(of: FileSystem.directory(of: candidate.source))
        for placement in Placement.allCases {
            let folder = try StoreFolder(copying: pair.path)
            let words = ["--models", bundle, "--to", version(candidate.destination)]
            let (refused, result) = try folder.migrate(placement, words)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("has no column"))
            #expect(refused.errors.contains("--from"))
            if placement == .output { #expect(!FileSystem.exists(result)) }
            let state = try FolderState(of: folder.directory.file(placement.rawValue))
            #expect(state.byteDifferences(from: try FolderState(of: folder.directory.file("original"))) == [])

            let again = try StoreFolder(copying: pair.path)
            let (run, named) = try again.migrate(placement, words + ["--from", "ATDataModel 2"])
            #expect(run.status < 2, "\(run.summary)")
            let check = ResultCheck(
                original: again.store, sourceModel: candidate.source, result: named,
                destinationModel: candidate.destination)
            #expect(try check.faults() == [])
        }
    }

    /// Stores that have the newest version already are recognised, and left alone.
    @Test(arguments: [
        "00StevenG__SLGManagedObjectArchive/SLGManagedObjectArchive/cars.sqlite",
        "wibosco__CoreDataMigration-Example/CoreDataMigration-ExampleTests/Resources/SQLite/"
            + "CoreDataMigration_Example_WAL.sqlite",
        "Awful__Awful.app/Smilies/Sources/Smilies/Resources/Smilies.sqlite",
    ])
    func aStoreOfTheNewestVersionIsLeftAlone(store: String) throws {
        let corpus = try #require(Corpus.path)
        let folder = try StoreFolder(copying: "\(corpus)/3_stores/\(store)")
        let repository = try #require(store.split(separator: "/").first)
        let (run, _) = try folder.migrate(.replace, ["--models", "\(corpus)/1_models/\(repository)"])
        // Several bundles of a repository may each have a current version: then the tool asks for one.
        #expect(run.status == 0 || run.errors.contains("--to"), "\(run.summary)")
        let state = try FolderState(of: folder.directory.file("replace"))
        #expect(state.byteDifferences(from: try FolderState(of: folder.directory.file("original"))) == [])
    }
}

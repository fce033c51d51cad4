import Foundation
import ManagedObjectModels
import PersistentStores
import StoreFixtures
import TestSupport
import Testing

/// Stores of real models, judged by a checker that shares no code with the generator.
@Suite(.enabled(if: StoreChecker.isPresent)) struct CorpusFixtureTests {
    /// Every so many of the corpus' models: all of them take minutes.
    static let bundles: [String] = {
        let all = Corpus.files(under: "1_models") { $0.hasSuffix(".xcdatamodeld") }
        return stride(from: 0, to: all.count, by: 14).map { all[$0] }
    }()

    @Test func anOrderedRelationshipThatIsItsOwnInverse() throws {
        let folder = try FixtureFolder()
        let source = folder.directory.file("Model.xcdatamodel")
        try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Person">
            <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
            inverseName="friends" inverseEntity="Person"/></entity></model>
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: source + "/contents"))
        let model = try ResolvedModel(try ModelVersions(path: source).current().model())
        try folder.make(model, FixtureOptions(rows: 30, seed: 2))
        for command in ["layout", "integrity"] {
            let verdict = try StoreChecker.check(command, folder.directory.file("store.sqlite"), source)
            #expect(verdict.text.hasSuffix(": 0 errors, 0 warnings\n"), "\(verdict.text)")
        }
    }

    @Test(arguments: bundles) func theNewestVersionOfRealModels(_ bundle: String) throws {
        guard let version = try? ModelVersions(path: bundle).current(),
            let model = try? ResolvedModel(version.model())
        else { return }
        let folder = try FixtureFolder()
        try folder.make(model, FixtureOptions(rows: 6, seed: 3))
        for command in ["layout", "integrity"] {
            let verdict = try StoreChecker.check(command, folder.directory.file("store.sqlite"), version.path)
            #expect(verdict.text.hasSuffix(": 0 errors, 0 warnings\n"), "\(bundle)\n\(verdict.text)")
        }
    }
}

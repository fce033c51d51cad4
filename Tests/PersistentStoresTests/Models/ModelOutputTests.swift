import Foundation
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

@Suite struct ModelOutputTests {
    private let directory: TemporaryDirectory
    private let files = [ModelFile(path: "A.mom", bytes: [1]), ModelFile(path: "VersionInfo.plist", bytes: [2])]

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("source", to: "source")
    }

    private func output(_ name: String, replacing: Bool = false) throws -> ModelOutput {
        try ModelOutput(path: directory.file(name), source: directory.file("source"), isReplacing: replacing)
    }

    private func listing() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
    }

    @Test
    func aFolderIsWrittenWholeAndNothingElseIsLeft() throws {
        try output("App.momd").write(files)
        #expect(try listing() == ["App.momd", "App.momd/A.mom", "App.momd/VersionInfo.plist", "source"])
    }

    @Test
    func whatExistsIsNotReplacedUnaskedAndThenAsAWhole() throws {
        try output("App.momd").write(files + [ModelFile(path: "Old.mom", bytes: [3])])
        #expect(throws: ModelOutputError.exists(path: directory.file("App.momd"))) { try output("App.momd/") }
        try output("App.momd/", replacing: true).write(files)
        #expect(try listing() == ["App.momd", "App.momd/A.mom", "App.momd/VersionInfo.plist", "source"])
        try output("App.mom").write([1])
        #expect(throws: ModelOutputError.exists(path: directory.file("App.mom"))) { try output("App.mom") }
        try output("App.mom", replacing: true).write([2])
        #expect(FileManager.default.contents(atPath: directory.file("App.mom")) == Data([2]))
    }

    @Test
    func aFolderWithAnythingElseInItIsNeverReplaced() throws {
        try FileManager.default.createDirectory(atPath: directory.file("App.momd"), withIntermediateDirectories: true)
        try directory.write("", to: "App.momd/letter.txt")
        #expect(throws: ModelOutputError.foreignContent(path: directory.file("App.momd"), name: "letter.txt")) {
            try output("App.momd", replacing: true)
        }
    }

    @Test
    func theSourceIsNeverReplacedByWhateverName() throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("App.mom"), withDestinationPath: directory.file("source"))
        #expect(throws: ModelOutputError.isSource(path: directory.file("App.mom"))) {
            try output("App.mom", replacing: true)
        }
    }

    @Test
    func aFailureLeavesWhatWasThereAndNoTrace() throws {
        try output("App.momd").write(files)
        // The second file has the name of a folder that the first one made.
        let clash = [ModelFile(path: "a/b", bytes: []), ModelFile(path: "a", bytes: [])]
        #expect(throws: StoreError.self) { try output("App.momd", replacing: true).write(clash) }
        #expect(try listing() == ["App.momd", "App.momd/A.mom", "App.momd/VersionInfo.plist", "source"])
    }

    @Test
    func whatAKilledRunLeftIsPutInOrder() throws {
        let staging = directory.file(".App.momd.ferry-staging")
        try FileManager.default.createDirectory(atPath: staging + "/App.momd", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: staging + "/former", withIntermediateDirectories: true)
        try Data([9]).write(to: URL(fileURLWithPath: staging + "/former/A.mom"))
        // Killed between the two renames: the old one is still there.
        #expect(throws: StoreError.self) { try StagedOutput(for: directory.file("App.momd"), replacing: false) }
        #expect(try listing() == ["App.momd", "App.momd/A.mom", "source"])
        #expect(FileManager.default.contents(atPath: directory.file("App.momd/A.mom")) == Data([9]))
    }

    @Test
    func twoRunsDoNotWriteTheSameOutput() throws {
        let first = try StagedOutput(for: directory.file("App.mom"), replacing: false)
        #expect(throws: StoreError.self) { try StagedOutput(for: directory.file("App.mom"), replacing: false) }
        try first.write([1])
        try first.finish()
    }
}

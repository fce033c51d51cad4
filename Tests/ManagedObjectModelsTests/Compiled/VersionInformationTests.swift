import Foundation
import KeyedArchives
import ManagedObjectModels
import TestSupport
import Testing

@Suite struct VersionInformationTests {
    @Test
    func whatIsWrittenComesBack() throws {
        let model = try ResolvedModel(FeatureModel.model)
        let information = VersionInformation(currentVersionName: "B", models: ["A": model, "B": model])
        let bytes = BinaryPropertyListWriter.bytes(for: information.propertyList)
        let list = try #require(try PropertyListReader.value(from: bytes).dictionary)
        #expect(VersionInformation(list) == information)
        #expect(
            list.keys.sorted() == [
                "NSManagedObjectModel_CurrentVersionName", "NSManagedObjectModel_VersionChecksums",
                "NSManagedObjectModel_VersionHashes",
            ])
        #expect(information.checksums["A"] == ModelHashes.checksum(of: ModelHashes.hashes(of: model)))
    }

    @Test
    func aBundleThatIsWrittenIsFoundWithItsVersionsHashesAndCurrentVersion() throws {
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(FeatureModel.model)
        let information = VersionInformation(currentVersionName: "Book 2", models: ["Book": model, "Book 2": model])
        let folder = directory.file("Book.momd")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["Book", "Book 2"] {
            try directory.write(CompiledModelWriter(FeatureModel.model).compile().bytes, to: "Book.momd/\(name).mom")
        }
        try directory.write(
            BinaryPropertyListWriter.bytes(for: information.propertyList), to: "Book.momd/VersionInfo.plist")
        try directory.write(Array("momv2$".utf8), to: "Book.momd/Book 2.omo")
        let versions = try ModelVersions(path: folder)
        #expect(versions.versions.map(\.description) == ["Book/Book", "Book/Book 2"])
        #expect(try versions.current().name == "Book 2")
        #expect(try versions.current().model().compiledForm == FeatureModel.model.compiledForm)
        #expect(versions.knownHashes.map(\.hashes) == Array(repeating: ModelHashes.hashes(of: model), count: 2))
        #expect(try versions.version("Book 2.mom").name == "Book 2")
    }
}

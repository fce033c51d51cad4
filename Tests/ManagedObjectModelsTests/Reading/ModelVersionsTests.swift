import Foundation
import ManagedObjectModels
import Testing
import TestSupport

@Suite
struct ModelVersionsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @discardableResult
    private func addModel(_ path: String, entity: String = "E") throws -> String {
        let folder = directory.file(path)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try directory.write(modelText("<entity name='\(entity)'/>"), to: path + "/contents")
    }

    private func setCurrent(
        _ name: String, in bundle: String, format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let list = ["_XCCurrentVersionName": name]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        try directory.write([UInt8](data), to: bundle + "/.xccurrentversion")
    }

    @Test(arguments: [true, false])
    func aBundlesVersionsComeInTheOrderOfTheirNumbersOneOfThemCurrent(isBinary: Bool) throws {
        for name in ["App", "App 2", "App 10", "App 9"] { try addModel("App.xcdatamodeld/\(name).xcdatamodel") }
        try setCurrent("App 9.xcdatamodel", in: "App.xcdatamodeld", format: isBinary ? .binary : .xml)
        let found = try ModelVersions(path: directory.file("App.xcdatamodeld"))
        #expect(found.versions.map(\.name) == ["App", "App 2", "App 9", "App 10"])
        #expect(found.versions.allSatisfy { $0.bundle?.name == "App" })
        #expect(try found.current().name == "App 9")
        #expect(try found.version("App 10").path == directory.file("App.xcdatamodeld/App 10.xcdatamodel"))
        #expect(try found.version("App/App 2").model().entities.map(\.name) == ["E"])
        #expect(found.warnings.isEmpty)
    }

    @Test
    func aDocumentIsReadOnceAndAgainWhenItWasForgotten() throws {
        try addModel("App.xcdatamodel", entity: "Old")
        let version = try #require(try ModelVersions(path: directory.file("App.xcdatamodel")).versions.first)
        #expect(try version.model().entities.map(\.name) == ["Old"])
        try addModel("App.xcdatamodel", entity: "New")
        #expect(try version.model().entities.map(\.name) == ["Old"])
        version.forgetDocument()
        #expect(try version.model().entities.map(\.name) == ["New"])
        let atHand = ModelVersion(name: "A", path: "a", document: try version.document())
        atHand.forgetDocument()
        #expect(try atHand.model().entities.map(\.name) == ["New"])
    }

    @Test
    func theOnlyVersionOfABundleIsTheCurrentOne() throws {
        try addModel("App.xcdatamodeld/App.xcdatamodel")
        let found = try ModelVersions(path: directory.file("App.xcdatamodeld/"))
        #expect(try found.current().name == "App")
        #expect(found.versions.first?.bundle?.currentVersionName == "App")
    }

    @Test
    func aVersionMayBeNamedByItsFolderItsFileAndItsPath() throws {
        let contents = try addModel("Alone.xcdatamodel")
        let folder = directory.file("Alone.xcdatamodel")
        for path in [contents, folder, folder + "/"] {
            let found = try ModelVersions(path: path)
            #expect(found.versions.map(\.name) == ["Alone"])
            #expect(try found.current().bundle == nil)
            #expect(try found.version(contents).path == folder)
            #expect(try found.version(folder + "/").path == folder)
        }
    }

    @Test
    func anyFileMayBeReadAsContents() throws {
        let path = try directory.write(modelText("<entity name='X'/>"), to: "model.xml")
        #expect(try ModelVersions(path: path).current().model().entities.map(\.name) == ["X"])
    }

    @Test
    func aFolderIsSearchedToTheBottomHiddenFoldersAndLinksAreNot() throws {
        try addModel("a/b/One.xcdatamodeld/V 1.xcdatamodel", entity: "First")
        try addModel("a/c/Two.xcdatamodeld/V 1.xcdatamodel", entity: "Second")
        try addModel("a/c/Two.xcdatamodeld/V 2.xcdatamodel")
        try addModel("a/.hidden/Three.xcdatamodel")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("a/loop"), withDestinationPath: directory.file("a"))
        let found = try ModelVersions(path: directory.file("a"))
        #expect(found.versions.map(\.description) == ["One/V 1", "Two/V 1", "Two/V 2"])
        #expect(try found.version("One/V 1").model().entities.map(\.name) == ["First"])
        let paths = found.versions.filter { $0.name == "V 1" }.map(\.path)
        #expect(throws: ModelError(.ambiguousVersion("V 1", paths: paths))) { try found.version("V 1") }
        #expect(try found.version(paths[1]).model().entities.map(\.name) == ["Second"])
    }

    @Test
    func aVersionThatIsNotThereIsAnErrorThatListsThoseThatAre() throws {
        try addModel("App.xcdatamodeld/App.xcdatamodel")
        let path = directory.file("App.xcdatamodeld")
        let found = try ModelVersions(path: path)
        #expect(throws: ModelError(.unknownVersion("App 2", known: ["App"]), path: path)) { try found.version("App 2") }
    }

    @Test
    func withoutACurrentVersionAnErrorListsTheChoices() throws {
        try addModel("App.xcdatamodeld/App.xcdatamodel")
        try addModel("App.xcdatamodeld/App 2.xcdatamodel")
        let path = directory.file("App.xcdatamodeld")
        let error = #expect(throws: ModelError(.noCurrentVersion(known: ["App", "App 2"]), path: path)) {
            try ModelVersions(path: path).current()
        }
        // Most commands have no --to.
        #expect(error?.reason.hasSuffix("name one (--version, or --to where a command has it): App, App 2") == true)
        try setCurrent("Gone.xcdatamodel", in: "App.xcdatamodeld", format: .xml)
        #expect(try ModelVersions(path: path).warnings.map(\.code) == [.missingCurrentVersion("Gone")])
        try directory.write("<plist", to: "App.xcdatamodeld/.xccurrentversion")
        #expect(try ModelVersions(path: path).warnings.count == 1)
    }

    @Test
    func aPlaceWithoutModelsIsAnError() throws {
        let empty = directory.path
        #expect(throws: ModelError(.noVersions, path: empty)) { try ModelVersions(path: empty) }
        let missing = directory.file("missing")
        #expect(throws: ModelError(.unreadable("there is no such file or folder"), path: missing)) {
            try ModelVersions(path: missing)
        }
    }

    @Test
    func whatHasTheNameOfAModelAndNotItsPartsIsToldFromAPlaceWithoutModels() throws {
        func makeFolder(_ path: String) throws -> String {
            try FileManager.default.createDirectory(atPath: directory.file(path), withIntermediateDirectories: true)
            return directory.file(path)
        }
        for (path, missing) in [
            ("a/App.xcdatamodeld", "folder NAME.xcdatamodel"), ("b/App.momd", "file NAME.mom"),
            ("c/App.xcdatamodel", "file contents"), ("d/App.mom", "compiled model"),
        ] {
            let model = try makeFolder(path)
            let expected = ModelError(
                .unreadable(ModelWarning(.incompleteModel(missing: missing)).reason), path: model)
            #expect(throws: expected) { try ModelVersions(path: model) }
            #expect(throws: expected) { try ModelVersions(path: (model as NSString).deletingLastPathComponent) }
        }
        try addModel("e/App.xcdatamodeld/App 2.xcdatamodel")
        let version = try makeFolder("e/App.xcdatamodeld/App.xcdatamodel")
        let found = try ModelVersions(path: directory.file("e"))
        #expect(found.warnings == [ModelWarning(.incompleteModel(missing: "file contents"), path: version)])
        #expect(try found.current().name == "App 2")
    }

    @Test
    func aPipeInThePlaceOfADocumentIsNoneAndNobodyWaitsForIt() throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("App.xcdatamodel"), withIntermediateDirectories: true)
        try #require(mkfifo(directory.file("App.xcdatamodel/contents"), 0o600) == 0)
        #expect(throws: ModelError.self) { try ModelVersions(path: directory.path) }
    }

    @Test
    func linksStandForVersionsInABundleAsBuildSystemsLayThemOut() throws {
        try addModel("store/one.xcdatamodel", entity: "One")
        let contents = try addModel("store/two.xcdatamodel", entity: "Two")
        for folder in ["App.xcdatamodeld", "App.xcdatamodeld/App 2.xcdatamodel"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("App.xcdatamodeld/App.xcdatamodel"),
            withDestinationPath: directory.file("store/one.xcdatamodel"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("App.xcdatamodeld/App 2.xcdatamodel/contents"), withDestinationPath: contents)
        let found = try ModelVersions(path: directory.file("App.xcdatamodeld"))
        #expect(found.versions.map(\.name) == ["App", "App 2"])
        #expect(try found.versions.map { try $0.model().entities[0].name } == ["One", "Two"])
    }

    @Test(arguments: [".", "./", "../App.xcdatamodel/."])
    func thePresentFolderHasTheNameOfTheModelThatItIs(end: String) throws {
        try addModel("App.xcdatamodel")
        let found = try ModelVersions(path: directory.file("App.xcdatamodel") + "/" + end)
        #expect(found.versions.map(\.name) == ["App"])
    }

    @Test
    func aBrokenVersionDoesNotKeepTheOthersFromBeingRead() throws {
        try addModel("App.xcdatamodeld/App.xcdatamodel")
        try addModel("App.xcdatamodeld/App 2.xcdatamodel")
        try directory.write("<model><entity", to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
        let found = try ModelVersions(path: directory.path)
        #expect(try found.version("App").model().entities.count == 1)
        let broken = try found.version("App 2")
        #expect(throws: ModelError.self) { try broken.document() }
        #expect(throws: ModelError.self) { try broken.document() }
    }

    @Test
    func theHashesOfACompiledBundleAreFoundBesideTheModels() throws {
        try addModel("App.xcdatamodeld/App.xcdatamodel")
        let hash = [UInt8](repeating: 7, count: 32)
        let list: [String: Any] = [
            "NSManagedObjectModel_CurrentVersionName": "App",
            "NSManagedObjectModel_VersionHashes": ["App": ["E": Data(hash), "Broken": Data([1])]],
            "NSManagedObjectModel_VersionChecksums": ["App": "c2Ft"],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        try FileManager.default.createDirectory(
            atPath: directory.file("App.momd"), withIntermediateDirectories: true)
        try directory.write([UInt8](data), to: "App.momd/VersionInfo.plist")
        let found = try ModelVersions(path: directory.path)
        let known = try #require(found.knownHashes.first)
        #expect(known.versionName == "App")
        #expect(known.checksum == "c2Ft")
        #expect(known.bundlePath == directory.file("App.momd"))
        #expect(known.hashes == ["E": try #require(VersionHash(bytes: hash))])
    }
}

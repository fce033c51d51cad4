import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct SwiftDataSourcesTests {
    @Test
    func testsAndHiddenFoldersAreLeftOut() throws {
        let folder = try TemporaryDirectory()
        for name in ["Sources/App", "Tests/AppTests", ".build", "AppUITests", "Pods"] {
            try TemporaryFolders.make(folder.file(name))
            try folder.write("@Model class A { var x: Int }\nlet s = Schema([A.self])", to: name + "/A.swift")
        }
        let sources = try #require(try SwiftDataSources(paths: [folder.path]))
        #expect(sources.declarations.files.map(\.path) == [folder.file("Sources/App/A.swift")])
        #expect(sources.declarations.files.map(\.module) == ["App"])
    }

    /// A file and a folder, named by other paths than the ones that the search meets.
    @Test(arguments: [["Seed"], ["Seed/A.swift"], ["App/../Seed/A.swift"]])
    func namedFilesAndFoldersAreLeftOut(excluded: [String]) throws {
        let folder = try TemporaryDirectory()
        for (name, type) in [("App", "Int"), ("Seed", "String")] {
            try TemporaryFolders.make(folder.file(name))
            try folder.write("@Model class A { var x: \(type) }\nlet s = Schema([A.self])", to: name + "/A.swift")
        }
        let selection = SwiftDataSelection(excluded: excluded.map(folder.file))
        let sources = try #require(try SwiftDataSources(paths: [folder.path], selection: selection))
        #expect(sources.declarations.files.map(\.path) == [folder.file("App/A.swift")])
        let attributes = try sources.modelVersions.current().model().entities.flatMap(\.attributes)
        #expect(attributes.map(\.type) == [.integer64])
    }

    @Test
    func whatIsLeftOutHasToBeThere() throws {
        let source = try SourceFolder("@Model class A { var x: Int }\nlet s = Schema([A.self])")
        #expect(throws: ModelError.self) {
            try source.sources(SwiftDataSelection(excluded: [source.folder.file("Seed")]))
        }
    }

    @Test
    func modulesOfAPackageAreToldApart() throws {
        let folder = try TemporaryDirectory()
        for name in ["App", "Core", "Other"] { try TemporaryFolders.make(folder.file("Sources/\(name)")) }
        try folder.write(
            "@Model class A { var k: Kind; var n: Core.Name }\nstruct Kind: Codable { var a: Int }\nlet s = Schema([A.self])",
            to: "Sources/App/A.swift")
        try folder.write(
            "struct Kind: Codable { var b: String }\nstruct Name: Codable { var c: String }", to: "Sources/Core/B.swift"
        )
        try folder.write("struct Name: Codable { var d: Int }", to: "Sources/Other/C.swift")
        let model = try ModelVersions(path: folder.path, swiftData: SwiftDataSelection()).current().model()
        #expect(model.composites.map { $0.elements.map(\.name) } == [["a"], ["c"]])
    }

    @Test
    func severalPathsAreReadTogether() throws {
        let folder = try TemporaryDirectory()
        let first = try folder.write("@Model class A { var k: Kind }\nlet s = Schema([A.self])", to: "A.swift")
        let second = try folder.write("struct Kind: Codable { var a: Int }", to: "Kind.swift")
        let found = try ModelVersions.together([first, second], swiftData: SwiftDataSelection())
        #expect(found.count == 1)
        #expect(found[0].path == folder.path)
        #expect(try found[0].current().model().entities.map(\.name) == ["A"])
    }

    @Test
    func aFolderWithoutModelsHasNone() throws {
        let source = try SourceFolder("struct A { var model = \"@Model\" }")
        #expect(try source.sources() == nil)
        #expect(throws: ModelError.self) {
            try ModelVersions(path: source.folder.path, swiftData: SwiftDataSelection())
        }
    }

    @Test
    func modelFilesAndSourcesInOneFolderAreBothFound() throws {
        let folder = try TemporaryDirectory()
        try TemporaryFolders.make(folder.file("Old.xcdatamodel"))
        try folder.write("<model><entity name=\"Old\"/></model>", to: "Old.xcdatamodel/contents")
        try folder.write("@Model class A { var x: Int }\nlet s = Schema([A.self])", to: "A.swift")
        let found = try ModelVersions(path: folder.path, swiftData: SwiftDataSelection())
        #expect(found.versions.map(\.name) == ["Old", "Schema"])
        let only = try ModelVersions(path: folder.path, swiftData: SwiftDataSelection(modelTypes: ["A"]))
        #expect(only.versions.map(\.name) == ["Schema"])
        // Sources without a list do not keep a model's file from being used.
        try folder.write("@Model class A { var x: Int }", to: "A.swift")
        let files = try ModelVersions(path: folder.path, swiftData: SwiftDataSelection())
        #expect(files.versions.map(\.name) == ["Old"])
        #expect(files.warnings.count == 1)
    }

    @Test
    func linesAndFilesOfThePartsAreKnown() throws {
        let source = try SourceFolder([
            "A.swift": "\n@Model class A {\n var b: B?\n}", "B.swift": "@Model class B { var x: Int }",
        ])
        let document = try source.document(["A"])
        #expect(document.lines[.entity("A")] == 2)
        #expect(document.lines[.property("b", entity: "A")] == 3)
        #expect(document.files[.entity("B")] == source.folder.file("B.swift"))
    }
}

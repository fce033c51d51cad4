import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct SwiftDataFitTests {
    private static let text = """
        @Model class A { var x: [UUID]; var y: UInt16; var z: Unknown; var b: B? }
        @Model class B { var n: Int }
        let s = Schema([A.self])
        """

    /// The hashes of a store whose properties are stored so.
    private func hashes(_ x: AttributeType, _ y: AttributeType, _ z: AttributeType) throws -> [String: VersionHash] {
        let a = EntityDescription(
            name: "A",
            attributes: [
                AttributeDescription(name: "x", type: x), AttributeDescription(name: "y", type: y),
                AttributeDescription(name: "z", type: z),
            ], relationships: [RelationshipDescription(name: "b", destinationEntityName: "B")])
        let b = EntityDescription(name: "B", attributes: [AttributeDescription(name: "n", type: .integer64)])
        return ModelHashes.hashes(of: try ResolvedModel(ManagedObjectModel(entities: [a, b])))
    }

    @Test(arguments: [
        (AttributeType.binaryData, AttributeType.integer16, AttributeType.string),
        (.transformable, .integer32, .double), (.binaryData, .integer32, .uuid),
    ])
    func theStoreTellsWhatNoRuleDoes(_ x: AttributeType, _ y: AttributeType, _ z: AttributeType) throws {
        let sources = try #require(try SourceFolder(Self.text).sources())
        let fit = try #require(sources.fits(try hashes(x, y, z)).first)
        #expect(fit.fits)
        guard case .answered(let answers)? = fit.entities.first?.result else { return #expect(Bool(false)) }
        #expect(answers.map(\.answer) == [x.name, y.name, z.name])
        #expect(ModelHashes.hashes(of: try ResolvedModel(fit.model)) == (try hashes(x, y, z)))
    }

    @Test
    func whatNoAnswerGivesIsDifferent() throws {
        let sources = try #require(try SourceFolder(Self.text).sources())
        var hashes = try hashes(.integer16, .integer16, .string)
        hashes["C"] = hashes["A"]
        hashes["A"] = nil
        let fit = try #require(sources.fits(hashes).first)
        #expect(!fit.fits && fit.fittingCount == 1)
        #expect(fit.entities.map(\.name) == ["A", "B", "C"])
        guard case .onlyInSources = fit.entities[0].result, case .onlyInStore = fit.entities[2].result else {
            return #expect(Bool(false))
        }
    }

    /// Two targets declare a model and a structure each; the store tells which files are the app's.
    @Test(arguments: [false, true])
    func theStoreTellsWhichOfSeveralDeclarationsCounts(isSeed: Bool) throws {
        let source = try SourceFolder([
            "A.swift": "@Model class A { var x: Int; var k: Kind; var n: Note }\nlet s = Schema([A.self])",
            "Seed.swift": "@Model class A { var x: String; var k: Kind; var n: Note }",
            "Kind.swift": "struct Kind: Codable { var a: Int }", "OldKind.swift": "struct Kind: Codable { var b: Int }",
            "Note.swift": "struct Note: Codable { var c: Int }\nstruct Row {}", "View.swift": "struct Row {}",
        ])
        let app = try SourceFolder([
            "A.swift": """
            @Model class A { var x: \(isSeed ? "String" : "Int"); var k: Kind; var n: Note }
            struct Kind: Codable { var b: Int }
            struct Note: Codable { var c: Int }
            """
        ])
        let hashes = try ModelHashes.hashes(of: ResolvedModel(app.model("A")))
        let sources = try #require(try source.sources())
        let fit = try #require(sources.fits(hashes).first)
        // The list of models lies beside the class that counts only in one of the cases.
        guard !isSeed else { return #expect(!fit.fits && fit.excluded == []) }
        #expect(fit.fits)
        #expect(fit.excluded == [source.folder.file("Kind.swift"), source.folder.file("Seed.swift")])
        #expect(ModelHashes.hashes(of: try ResolvedModel(fit.model)) == hashes)
    }

    @Test
    func theNearestVersionComesFirst() throws {
        let sources = try #require(try SwiftDataSources(paths: [Samples.path + "/Trips"]))
        let old = try ModelHashes.hashes(of: ResolvedModel(sources.modelVersions.version("TripsSchemaV1").model()))
        let fits = sources.fits(old)
        #expect(fits.map(\.version) == ["TripsSchemaV1", "TripsSchemaV2"])
        #expect(fits.map(\.fits) == [true, false])
    }
}

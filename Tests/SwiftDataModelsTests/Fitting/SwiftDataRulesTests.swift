import DocumentReading
import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct SwiftDataRulesTests {
    private static let rules = SwiftDataRules([
        .init(entity: "B", property: "x", reason: "why", answer: "Binary"),
        .init(entity: "A", property: "y", reason: "because\nof this", answer: "one String for each case"),
        .init(entity: "A", property: "x", reason: "other", answer: "Integer 64"),
    ])

    @Test func theFileIsReadAsItWasWritten() throws {
        let directory = try TemporaryDirectory()
        try directory.write(Self.rules.text, to: "rules")
        let read = try SwiftDataRules(path: directory.file("rules"))
        #expect(read.text == Self.rules.text)
        #expect(Set(read.rules) == Set(Self.rules.rules))
        #expect(read.answer(entity: "A", property: "y", reason: "because\nof this") == "one String for each case")
        #expect(read.answer(entity: "A", property: "y", reason: "another") == nil)
    }

    @Test(arguments: [
        ("", 1), ("entity A", 1), ("swiftdata-rules 1\nproperty x", 2), ("swiftdata-rules 1\nentity A\nbecause x", 3),
        ("swiftdata-rules 1\nentity A\nproperty x\nstored as y", 4),
        ("swiftdata-rules 1\nentity A\nproperty x\nbecause y", 4),
        ("swiftdata-rules 1\nentity A\nproperty x\nbecause y\nentity B", 5),
        (
            "swiftdata-rules 1\nentity A\nproperty x\nbecause y\nstored as a\nbecause y\nstored as b", 7
        ),
    ])
    func aWrongLineIsNamed(text: String, line: Int) throws {
        let directory = try TemporaryDirectory()
        try directory.write(text, to: "rules")
        let error = try #require(throws: DocumentErrors.self) { try SwiftDataRules(path: directory.file("rules")) }
        #expect(error.description.contains("rules:\(line):1:"), "\(error)")
    }

    @Test func theFileLiesBesideTheSources() throws {
        let sources = try SourceFolder("")
        let folder = sources.folder.path
        #expect(SwiftDataRules.path(beside: folder) == folder + "/.ferry-swiftdata")
        #expect(SwiftDataRules.path(beside: folder + "/") == folder + "/.ferry-swiftdata")
        #expect(SwiftDataRules.path(beside: "App/Models.swift") == "App/.ferry-swiftdata")
        #expect(SwiftDataRules.path(beside: "Models.swift") == ".ferry-swiftdata")
    }

    @Test func othersReplaceWhatIsAboutTheSameDeclaration() {
        let other = SwiftDataRules([
            .init(entity: "B", property: "x", reason: "why", answer: "Transformable"),
            .init(entity: "B", property: "x", reason: "another", answer: "String"),
        ])
        #expect(Self.rules.contradictions(to: other).count == 1)
        let all = Self.rules.adding(other)
        #expect(all.rules.count == 4)
        #expect(all.answer(entity: "B", property: "x", reason: "why") == "Transformable")
        #expect(all.contradictions(to: other).isEmpty)
    }

    /// A type that no rule tells is an error without a rule of the project, and the model has what the rule says.
    @Test func aRuleMakesAnUnknownTypeCertain() throws {
        let folder = try SourceFolder(
            """
            @Model class A { var z: Unknown; @Relationship(maximumModelCount: 3) var b: [B] }
            @Model class B { var n: Int }
            let s = Schema([A.self])
            """)
        let sources = try #require(try folder.sources())
        #expect(throws: ModelError.self) { try sources.modelVersions.current().document() }
        let plain = ManagedObjectModel(entities: [
            EntityDescription(
                name: "A", attributes: [AttributeDescription(name: "z", type: .string)],
                relationships: [
                    RelationshipDescription(name: "b", destinationEntityName: "B", isToMany: true, isOptional: false)
                ]),
            EntityDescription(name: "B", attributes: [AttributeDescription(name: "n", type: .integer64)]),
        ])
        let hashes = try ModelHashes.hashes(of: ResolvedModel(plain))
        let fit = try #require(sources.fits(hashes).first)
        #expect(fit.fits && fit.problems.count == 1)
        #expect(fit.rules.rules.map(\.answer).sorted() == ["String", "without effect"])
        try folder.folder.write(fit.rules.text, to: SwiftDataRules.fileName)
        let document = try #require(try folder.sources()).modelVersions.current().document()
        #expect(document.warnings.isEmpty)
        #expect(try ModelHashes.hashes(of: ResolvedModel(document.model)) == hashes)
        try folder.folder.write(
            fit.rules.text.replacing("stored as String", with: "stored as Nonsense"), to: SwiftDataRules.fileName)
        let error = #expect(throws: ModelError.self) {
            try #require(try folder.sources()).modelVersions.current().document()
        }
        #expect(error?.description.contains("\"stored as Nonsense\", which is not one of the answers") == true)
    }
}

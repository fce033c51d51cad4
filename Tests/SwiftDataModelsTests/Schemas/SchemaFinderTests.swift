import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct SchemaFinderTests {
    private func versions(_ text: String) throws -> ModelVersions {
        let source = try SourceFolder(text)
        return try ModelVersions(path: source.folder.path, swiftData: SwiftDataSelection())
    }

    private static let classes = """
        @Model class A { var x: Int }
        @Model class B { var x: Int }

        """

    @Test(arguments: [
        "func f() { let s = Schema([A.self, B.self]) }",
        "func f() { _ = try ModelContainer(for: A.self, B.self, configurations: c) }",
        "struct V { var body: X { G().modelContainer(for: [A.self, B.self]) } }",
        "enum L { static let all: [any PersistentModel.Type] = [A.self] + [B.self] }\nlet s = Schema(L.all + [A.self])",
        "func f() { _ = try ModelContainer(for: Schema([A.self, B.self], version: .init(1, 0, 0))) }\n"
            + "#Preview { X().modelContainer(for: A.self, inMemory: true) }",
        "enum V: VersionedSchema { static var versionIdentifier: Schema.Version { .init(1, 0, 0) }\n"
            + "static var models: [any PersistentModel.Type] { return [A.self, B.self] as [any PersistentModel.Type] } }",
        "enum V { }\nextension V: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0)\n"
            + "static let models: [any PersistentModel.Type] = [A.self] + more\n static let more = [B.self] }",
    ])
    func listsOfModelsMakeVersions(_ text: String) throws {
        let versions = try versions(Self.classes + text)
        #expect(versions.versions.count == 1)
        let model = try versions.current().model()
        #expect(model.entities.map(\.name) == ["A", "B"])
        #expect(model.versionIdentifiers == ["1.0.0"])
    }

    @Test
    func severalListsAreSeveralVersionsAndTheLargestIsCurrent() throws {
        let versions = try versions(Self.classes + "let a = Schema([A.self])\nlet b = Schema([A.self, B.self])")
        #expect(versions.versions.map(\.name) == ["Schema", "Schema 2"])
        #expect(try versions.current().name == "Schema 2")
    }

    @Test
    func aPlanOrdersVersionsAndNamesTheKindOfItsStages() throws {
        let versions = try versions(
            """
            enum V10: VersionedSchema { static let versionIdentifier = Schema.Version(1, 10, 0)
              static var models: [any PersistentModel.Type] { [A.self] }
              @Model class A { var x: Int } }
            enum V9: VersionedSchema { static let versionIdentifier = Schema.Version(1, 9, 0)
              static var models: [any PersistentModel.Type] { [A.self] }
              @Model class A { var y: Int } }
            enum Plan: SchemaMigrationPlan {
              static var schemas: [any VersionedSchema.Type] { [V9.self, V10.self] }
              static var stages: [MigrationStage] { [step] }
              static let step = MigrationStage.custom(fromVersion: V9.self, toVersion: V10.self, willMigrate: { context in
                  try context.delete(model: A.self) }, didMigrate: nil)
            }
            """)
        #expect(versions.versions.map(\.name) == ["V9", "V10"])
        #expect(try versions.current().name == "V10")
        #expect(versions.bundles[0].stages == [.init(from: "V9", to: "V10", isCustom: true)])
        #expect(try versions.versions.map { try $0.model().versionIdentifiers } == [["1.9.0"], ["1.10.0"]])
    }

    @Test
    func withoutAPlanIdentifiersOrderTheVersions() throws {
        let text = [10, 9, 2].map { number in
            "enum V\(number): VersionedSchema { static let versionIdentifier = Schema.Version(\(number), 0, 0)\n"
                + "static var models: [any PersistentModel.Type] { [A.self] } }\n"
        }
        #expect(try versions(Self.classes + text.joined()).versions.map(\.name) == ["V2", "V9", "V10"])
    }

    @Test
    func aListThatIsNotKnownIsAnErrorWithItsPlace() throws {
        let versions = try versions(
            Self.classes + "enum V: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0)\n"
                + "static var models: [any PersistentModel.Type] { makeModels() } }")
        let error = try #require(throws: ModelError.self) { try versions.current().document() }
        #expect(error.line == 4)
    }

    @Test
    func withoutAListTheClassesMustBeNamed() throws {
        let source = try SourceFolder(Self.classes)
        let error = try #require(throws: ModelError.self) { try source.sources() }
        #expect(error.reason.contains("--model-types A,B"))
        #expect(try source.model("B").entities.map(\.name) == ["B"])
        #expect(throws: ModelError.self) { try source.model("C") }
    }
}

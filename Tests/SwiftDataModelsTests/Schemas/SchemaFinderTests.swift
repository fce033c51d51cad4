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

    @Test func selfIsTheTypeAroundAList() throws {
        let versions = try versions(
            """
            enum V: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Self.C.self] }
            @Model class C { var x: Int = 1; var when = Date.now } }
            """)
        let model = try versions.current().model()
        #expect(model.entities.map(\.name) == ["C"])
        #expect(model.entities.first?.attributes.map(\.type).sorted { $0.name < $1.name } == [.date, .integer64])
    }

    @Test
    func severalListsAreSeveralVersionsAndTheLargestIsCurrent() throws {
        let versions = try versions(Self.classes + "let a = Schema([A.self])\nlet b = Schema([A.self, B.self])")
        #expect(versions.versions.map(\.name) == ["Schema", "Schema 2"])
        #expect(try versions.current().name == "Schema 2")
    }

    /// The models of a container may be in several stores.
    @Test(arguments: [true, false])
    func listsAreStoresAndNoneFollowsAnother(hasWhole: Bool) throws {
        let versions = try versions(
            Self.classes + "let a = ModelConfiguration(\"a\", schema: Schema([A.self]))\n"
                + "let b = ModelConfiguration(\"b\", schema: Schema([B.self]))\n"
                + (hasWhole ? "let c = ModelContainer(for: A.self, B.self, configurations: a, b)" : ""))
        let names = ["Schema", "Schema 2"] + (hasWhole ? ["Schema 3"] : [])
        #expect(versions.versions.map(\.name) == names)
        #expect(versions.versions.filter(\.isCurrent).map(\.name) == (hasWhole ? ["Schema 3"] : names))
        #expect(Set(versions.versions.map { $0.bundle?.path }).count == names.count)
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

    private static let schemas = [1, 2, 3].map { number in
        "enum V\(number): VersionedSchema { static let versionIdentifier = Schema.Version(\(number), 0, 0)\n"
            + "static var models: [any PersistentModel.Type] { [A.self] } }\n"
    }.joined()

    private func plan(_ stages: String, _ others: String = "") throws -> ModelVersions {
        try versions(
            Self.classes + Self.schemas + others + "\nenum Plan: SchemaMigrationPlan {\n"
                + "static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }\n"
                + "static var stages: [MigrationStage] { \(stages) } }")
    }

    /// The oldest version comes first, whichever way the list of a plan goes.
    @Test(arguments: [
        ([2, 1], [(1, 2)], "V1 V2"), ([3, 2, 1], [(1, 2), (2, 3)], "V1 V2 V3"), ([3, 2, 1], [(2, 3)], "V1 V2 V3"),
        ([1, 2, 3], [], "V1 V2 V3"), ([2, 1, 3], [(1, 2), (2, 3)], "V1 V2 V3"),
        ([1, 2, 3], [(1, 2), (2, 3), (3, 1)], "V1 V2 V3"),
    ])
    func stagesSayWhichVersionIsOlder(list: [Int], stages: [(Int, Int)], order: String) throws {
        let versions = try versions(
            Self.classes + Self.schemas
                + "enum Plan: SchemaMigrationPlan {\nstatic var schemas: [any VersionedSchema.Type] { ["
                + list.map { "V\($0).self" }.joined(separator: ", ") + "] }\nstatic var stages: [MigrationStage] { ["
                + stages.map { ".lightweight(fromVersion: V\($0.0).self, toVersion: V\($0.1).self)" }
                .joined(separator: ", ") + "] } }")
        let names = versions.versions.map(\.name).filter { name in list.contains { "V\($0)" == name } }
        #expect(names.joined(separator: " ") == order)
        #expect(versions.versions.first { $0.name == names.last }?.isCurrent == true)
    }

    /// An app may have a store for each of several plans.
    @Test(arguments: [true, false])
    func plansWithoutACommonVersionAreOfSeveralStores(namesVersions: Bool) throws {
        func version(_ name: String, _ number: Int) -> String {
            "enum \(name): VersionedSchema { static let versionIdentifier = Schema.Version(\(number), 0, 0)\n"
                + "static var models: [any PersistentModel.Type] { [A.self] } }\n"
        }
        func plan(_ name: String, _ old: String, _ new: String) -> String {
            """
            enum \(name): SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [\(new).self, \(old).self] }
            static var stages: [MigrationStage] {
            [.lightweight(fromVersion: \(old).self, toVersion: \(new).self)] } }

            """
        }
        let used = "let a = Schema(versionedSchema: Data.self)\nlet b = Schema(versionedSchema: Local2.self)\n"
        let versions = try versions(
            Self.classes + version("Data4", 4) + version("Data5", 5) + version("Local1", 1) + version("Local2", 5)
                + plan("Plan", "Data4", "Data5") + plan("LocalPlan", "Local1", "Local2") + "typealias Data = Data5\n"
                + (namesVersions ? used : ""))
        #expect(versions.versions.map(\.name) == ["Data4", "Data5", "Local1", "Local2"])
        #expect(versions.versions.filter(\.isCurrent).map(\.name) == ["Data5", "Local2"])
        #expect(versions.versions.map { $0.bundle?.name } == ["Plan", "Plan", "LocalPlan", "LocalPlan"])
        #expect(Set(versions.versions.map { $0.bundle?.path }).count == 2)
        #expect(versions.bundles.map { $0.stages.map(\.to) } == [["Data5"], ["Local2"]])
    }

    /// Lists of types stand in properties as well as in calls.
    @Test(arguments: [
        "enum S { static let models: [any PersistentModel.Type] = [A.self]\nstatic var schema: Schema { Schema(models) } }",
        "enum S { static let models: [any PersistentModel.Type] = [A.self] }\nfunc f() { let s = Schema(S.models) }",
        "let models: [any PersistentModel.Type] = [A.self]\nlet c = ModelContainer(for: models)",
        "enum S { static let models: [any PersistentModel.Type] = All.models\nstatic var schema: Schema { Schema(models) } }\n"
            + "enum All { static var models: [any PersistentModel.Type] { Base.models } }\n"
            + "enum Base { static let models: [any PersistentModel.Type] = [A.self] }",
        "enum V1: VersionedSchema { static var versionIdentifier: Schema.Version { .init(1, 0, 0) }\n"
            + "static var models: [any PersistentModel.Type] { All.models } }\n"
            + "enum All { static var models: [any PersistentModel.Type] { Base.models } }\n"
            + "enum Base { static let models: [any PersistentModel.Type] = [A.self] }",
        "struct App { static var types: [any PersistentModel.Type] { [A.self] }\nvar v: V { V().modelContainer(for: Self.types) } }",
    ])
    func namesStandForLists(_ text: String) throws {
        let versions = try versions(Self.classes + "@Model class Other { var x: Int }\n" + text)
        #expect(try versions.versions.map { try $0.model().entities.map(\.name) } == [["A"]])
    }

    private static let custom = "MigrationStage.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil"

    /// Stages may stand beside the plan, in other types, in local variables and behind other lists.
    @Test(arguments: [
        ("[step]", "let step = \(custom), didMigrate: nil)"),
        ("[Steps.first]", "enum Steps { static let first = \(custom), didMigrate: nil) }"),
        ("all", "let all: [MigrationStage] = [step, step]\nlet step = \(custom)) { context in f(x) }"),
        ("[step]", "let step: MigrationStage = { \(custom)) { _ in }\n didMigrate: { context in g() } }()"),
        ("let first = \(custom)) { _ in }\nreturn [first]", ""),
        ("[/* all */ step // one\n]", "extension Plan { static var step: MigrationStage { \(custom)) } }"),
    ])
    func stagesAreFoundWhereverTheyAreDeclared(stages: String, others: String) throws {
        let versions = try plan(stages, others)
        #expect(versions.bundles[0].stages == [.init(from: "V1", to: "V2", isCustom: true)])
        #expect(versions.warnings.isEmpty, "\(versions.warnings)")
    }

    /// A stage that cannot be read may be a custom one.
    @Test(arguments: [
        ("[makeStage()]", "which stage makeStage stands for is not known"),
        ("[Other.step]", "which stage Other.step stands for is not known"),
        (".custom(fromVersion: old, toVersion: V2.self)", "versions of a stage are not named by their types"),
    ])
    func aStageThatIsNotKnownIsAWarning(stages: String, message: String) throws {
        let versions = try plan("[.lightweight(fromVersion: V2.self, toVersion: V3.self)] + " + stages)
        #expect(versions.bundles[0].stages == [.init(from: "V2", to: "V3", isCustom: false)])
        #expect(versions.warnings.count == 1 && "\(versions.warnings)".contains(message), "\(versions.warnings)")
    }

    /// Code is not run, and one message says so.
    @Test(arguments: [
        ("{ let l: [any PersistentModel.Type] = [A.self]; return l }()", "the list is made by code"),
        ("[A.self] + others", "what others stands for"),
        ("V0.models.filter { $0 != A.self }", "the list is made by code"),
    ])
    func aListThatIsNoLiteralIsOneProblem(list: String, message: String) throws {
        let text =
            "enum V: VersionedSchema { static var versionIdentifier = Schema.Version(1, 0, 0)\n"
            + "static let models: [any PersistentModel.Type] = \(list) }"
        let error = #expect(throws: ModelError.self) { try versions(Self.classes + text).current().model() }
        let words = "\(try #require(error))"
        #expect(words.contains(message) && words.split(separator: "list the types").count == 2, "\(words)")
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
    func aGenericClassInAListIsNamed() throws {
        let versions = try versions(
            Self.classes + "@Model class G<T> { var x: Int }\nlet c = try ModelContainer(for: A.self, G<[Int]>.self)")
        let error = try #require(throws: ModelError.self) { try versions.current().document() }
        #expect(error.reason == "G is generic, which an @Model class cannot be")
        #expect(!"\(error)".contains("not known"), "\(error)")
    }

    /// Sources without a model are not taken for a folder without sources.
    @Test
    func aFolderOfSourcesWithoutAModelSaysSo() throws {
        let source = try SourceFolder("struct A {}")
        let error = try #require(throws: ModelError.self) {
            try ModelVersions(path: source.folder.path, swiftData: SwiftDataSelection())
        }
        #expect(error.reason.contains("no class of the Swift sources here is a @Model"))
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

import Foundation
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Which steps lead from one version to another, over mapping models and by inference.
@Suite struct ChainFinderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a bundle of versions, named `1`, `2` and so on, each with one entity `Note` that has the attributes.
    private func catalog(_ versions: [String]) throws -> VersionCatalog {
        for (index, attributes) in versions.enumerated() {
            let folder = "App.xcdatamodeld/\(index + 1).xcdatamodel"
            try FileSystem.createDirectory(directory.file(folder))
            try directory.write(
                "<?xml version=\"1.0\"?><model><entity name=\"Note\">\(attributes)</entity></model>",
                to: "\(folder)/contents")
        }
        return try VersionCatalog(paths: [directory.file("App.xcdatamodeld")])
    }

    private static func attribute(_ name: String, _ more: String = "optional=\"YES\"") -> String {
        "<attribute name=\"\(name)\" \(more) attributeType=\"String\"/>"
    }

    /// Versions that each have one attribute more.
    private func growing(_ count: Int) throws -> VersionCatalog {
        try catalog((1...count).map { version in (1...version).map { Self.attribute("a\($0)") }.joined() })
    }

    private func version(_ number: Int, in catalog: VersionCatalog) throws -> VersionedModel {
        try catalog.versionedModel(catalog.version(named: "\(number)"))
    }

    /// A mapping model between two versions, which its hashes tell.
    private func mapping(_ from: Int, _ to: Int, in catalog: VersionCatalog, name: String? = nil) throws
        -> MappingModelDocument
    {
        func hash(_ number: Int) throws -> String {
            let bytes = try version(number, in: catalog).hashes["Note"] ?? []
            return "sha256-" + bytes.map { String($0, radix: 16) }.map { $0.count == 1 ? "0" + $0 : $0 }.joined()
        }
        let text = try """
        mapping: 1
        entities:
          - source: Note
            sourceHash: \(hash(from))
            destination: Note
            destinationHash: \(hash(to))

        """
        return try MappingModelFile.read(bytes: Array(text.utf8), name: name ?? "\(from)to\(to).yaml")
    }

    /// The steps as `1>2 2to3.yaml`, or only the versions for inferred ones.
    private func steps(
        _ catalog: VersionCatalog, _ from: Int, _ to: Int, _ mappings: [(Int, Int)], mode: ChainMode = .auto
    ) throws -> [String] {
        let documents = try mappings.map { try mapping($0.0, $0.1, in: catalog) }
        let chain = try ChainFinder(catalog: catalog, mappings: documents).chain(
            from: version(from, in: catalog), to: version(to, in: catalog), mode: mode)
        return chain.steps.map { step in
            "\(step.source.name)>\(step.destination.name)"
                + (step.way == "inference" ? "" : " \(step.way.dropFirst(14))")
        }
    }

    @Test func withoutMappingModelsOneInferredStepLeadsThere() throws {
        let catalog = try growing(5)
        #expect(try steps(catalog, 1, 5, []) == ["1>5"])
        #expect(try steps(catalog, 5, 1, []) == ["5>1"])
    }

    @Test func aMappingModelThatLeadsThereDirectlyIsTheOnlyStep() throws {
        let catalog = try growing(4)
        #expect(try steps(catalog, 1, 4, [(1, 2), (2, 3), (3, 4), (1, 4)]) == ["1>4 1to4.yaml"])
    }

    /// It is about an entity that has not changed: its hashes are those of all versions.
    @Test func aMappingModelThatFitsSeveralVersionsGoesWhereTheMigrationOrAnotherOneGoes() throws {
        let tag = "</entity><entity name=\"Tag\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
        let catalog = try catalog(
            (1...3).map { version in
                (1...version).map { Self.attribute("a\($0)") }.joined() + tag
            })
        let bytes = try version(1, in: catalog).hashes["Tag"] ?? []
        let hash = "sha256-" + bytes.map { String($0, radix: 16) }.map { $0.count == 1 ? "0" + $0 : $0 }.joined()
        let text =
            "mapping: 1\nentities:\n  - {source: Tag, sourceHash: \(hash), destination: Tag, destinationHash: \(hash)}\n"
        let tags = try MappingModelFile.read(bytes: Array(text.utf8), name: "tags.yaml")
        func ways(_ to: Int, _ found: [MappingModelDocument]) throws -> [String] {
            try ChainFinder(catalog: catalog, found: found).chain(
                from: version(1, in: catalog), to: version(to, in: catalog)
            ).steps.map { "\($0.source.name)>\($0.destination.name) \($0.way)" }
        }
        #expect(try ways(2, [tags]) == ["1>2 mapping model tags.yaml"])
        #expect(
            try ways(3, [tags, mapping(2, 3, in: catalog)])
                == ["1>2 inference", "2>3 mapping model tags.yaml, 2to3.yaml"])
    }

    @Test func inferenceNeverPassesOverAMappingModelThatLeadsTheSameWay() throws {
        let catalog = try growing(6)
        #expect(try steps(catalog, 1, 6, [(3, 4)]) == ["1>3", "3>4 3to4.yaml", "4>6"])
        #expect(try steps(catalog, 1, 6, [(1, 2), (4, 5)]) == ["1>2 1to2.yaml", "2>4", "4>5 4to5.yaml", "5>6"])
        // Those of other stretches, and those that lead back, are none of it.
        #expect(try steps(catalog, 4, 6, [(1, 2), (2, 3)]) == ["4>6"])
        #expect(try steps(catalog, 1, 3, [(2, 1), (3, 2)]) == ["1>3"])
        #expect(try steps(catalog, 3, 1, [(2, 1), (1, 2)]) == ["3>2", "2>1 2to1.yaml"])
    }

    @Test func theFewestStepsWinAndThenTheFewestInferredOnes() throws {
        let catalog = try growing(5)
        #expect(try steps(catalog, 1, 4, [(1, 2), (2, 3), (1, 3)]) == ["1>3 1to3.yaml", "3>4"])
        #expect(try steps(catalog, 1, 4, [(1, 3), (1, 2), (2, 4)]) == ["1>2 1to2.yaml", "2>4 2to4.yaml"])
    }

    @Test func equallyGoodWaysAreAnErrorThatNamesThem() throws {
        let catalog = try growing(4)
        let error = #expect(throws: ChainError.self) { _ = try steps(catalog, 1, 4, [(1, 2), (2, 4), (1, 3), (3, 4)]) }
        #expect(error?.description.contains("1to2.yaml, then 2to4.yaml") == true)
        #expect(error?.description.contains("1to3.yaml, then 3to4.yaml") == true)
        #expect(error?.description.contains("--mapping") == true)
    }

    @Test func aMappingModelFromAVersionToItselfIsALoop() throws {
        let catalog = try growing(3)
        #expect(throws: ChainError.loop("2to2.yaml", version: "2")) { _ = try steps(catalog, 1, 3, [(2, 2)]) }
    }

    @Test func mappingModelsInCirclesDoNotKeepTheSearch() throws {
        let catalog = try growing(4)
        #expect(try steps(catalog, 1, 4, [(2, 3), (3, 2)]) == ["1>2", "2>3 2to3.yaml", "3>4"])
    }

    @Test func directMeansOneStep() throws {
        let catalog = try growing(4)
        #expect(try steps(catalog, 1, 4, [(2, 3), (3, 4)], mode: .direct) == ["1>4"])
        #expect(try steps(catalog, 1, 4, [(1, 4), (3, 4)], mode: .direct) == ["1>4 1to4.yaml"])
    }

    @Test func ofSeveralOneThatDoesNotSayItsVersionsIsAnErrorAndOneAloneIsMeant() throws {
        let catalog = try growing(3)
        let text = "mapping: 1\nentities:\n  - {source: Note, destination: Note}\n"
        let unplaced = try MappingModelFile.read(bytes: Array(text.utf8), name: "some.yaml")
        let (first, last) = (try version(1, in: catalog), try version(3, in: catalog))
        let alone = try ChainFinder(catalog: catalog, mappings: [unplaced]).chain(from: first, to: last)
        #expect(alone.steps.map(\.way) == ["mapping model some.yaml"])
        let error = #expect(throws: ChainError.self) {
            _ = try ChainFinder(catalog: catalog, mappings: [unplaced, mapping(1, 2, in: catalog)])
                .chain(from: first, to: last)
        }
        #expect(error?.description.contains("some.yaml") == true && error?.cocoaCode == 134140)
    }

    // MARK: - Inferred steps that are one

    @Test func anAttributeThatIsRenamedTwiceGoesVersionByVersion() throws {
        let catalog = try catalog([
            Self.attribute("a"), Self.attribute("b", "optional=\"YES\" elementID=\"a\""),
            Self.attribute("c", "optional=\"YES\" elementID=\"b\""),
        ])
        #expect(try steps(catalog, 1, 3, []) == ["1>2", "2>3"])
        // With the identifier carried on, as it should be, one step finds it.
        let carried = try self.catalog([
            Self.attribute("a"), Self.attribute("b", "optional=\"YES\" elementID=\"a\""),
            Self.attribute("c", "optional=\"YES\" elementID=\"a\""),
        ])
        #expect(try steps(carried, 1, 3, []) == ["1>3"])
    }

    @Test func whatAVersionInBetweenLacksIsNoReasonToGoThere() throws {
        let catalog = try catalog([
            Self.attribute("a") + Self.attribute("b") + Self.attribute("x"), Self.attribute("a"),
            Self.attribute("a") + Self.attribute("b"),
        ])
        #expect(try steps(catalog, 1, 3, []) == ["1>3"])
    }

    @Test func betweenMappingModelsADefaultOfAVersionInBetweenCounts() throws {
        func versions(_ middle: String, _ last: String) throws -> VersionCatalog {
            func new(_ value: String) -> String {
                Self.attribute("n", "optional=\"YES\" defaultValueString=\"\(value)\"")
            }
            return try catalog([
                Self.attribute("a"), Self.attribute("a") + new(middle),
                Self.attribute("a") + new(last) + Self.attribute("y"),
                Self.attribute("a") + new(last) + Self.attribute("y") + Self.attribute("z"),
            ])
        }
        #expect(try steps(versions("x", "y"), 1, 4, [(3, 4)]) == ["1>2", "2>3", "3>4 3to4.yaml"])
        #expect(try steps(versions("x", "x"), 1, 4, [(3, 4)]) == ["1>3", "3>4 3to4.yaml"])
        // Without mapping models the last version's holds, as where Core Data infers.
        #expect(try steps(versions("x", "y"), 1, 4, []) == ["1>4"])
    }
}

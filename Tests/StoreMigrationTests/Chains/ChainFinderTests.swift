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

    // MARK: - Versions that a mapping model names

    /// A source mapping model, as Xcode writes it, whose paths name two versions.
    private func sourceMapping(_ from: String?, _ to: String?) throws -> MappingModelDocument {
        let model = MappingModel(
            entityMappings: [
                EntityMapping(
                    name: "NoteToNote", type: .transform, sourceEntityName: "Note", destinationEntityName: "Note")
            ],
            sourceModelPath: from, destinationModelPath: to)
        return try MappingModelFile.read(
            bytes: MappingModelFile.bytes(of: model, form: .source), name: "some.xcmappingmodel")
    }

    @Test(arguments: [ChainMode.auto, .direct])
    func aMappingModelThatNamesOtherVersionsIsRefusedThoughItIsTheOnlyOne(mode: ChainMode) throws {
        let catalog = try growing(4)
        let (first, second) = (try version(1, in: catalog), try version(2, in: catalog))
        for (from, to, side) in [
            ("App/App.xcdatamodeld/3.xcdatamodel", "App/App.xcdatamodeld/4.xcdatamodel", "source"),
            ("App/App.xcdatamodeld/1.xcdatamodel", "App/App.xcdatamodeld/3.xcdatamodel", "destination"),
            ("App/App.xcdatamodeld/Older.xcdatamodel", "App/App.xcdatamodeld/2.xcdatamodel", "source"),
        ] {
            let mapping = try sourceMapping(from, to)
            let error = #expect(throws: ChainError.self) {
                try ChainFinder(catalog: catalog, mappings: [mapping]).chain(from: first, to: second, mode: mode)
            }
            #expect(
                error?.description.contains("the mapping model's \(side) is \(side == "source" ? from : to)") == true)
            #expect(error?.cocoaCode == 134140)
        }
    }

    /// Its versions hold for a stage as well.
    @Test func aMappingModelOfAStageThatNamesOtherVersionsIsRefused() throws {
        let catalog = try growing(4)
        let (first, last) = (try version(1, in: catalog), try version(3, in: catalog))
        func chain(_ mapping: MappingModelDocument) throws -> MigrationChain {
            let stages = [
                MigrationStage.custom(from: first.name, to: try version(2, in: catalog).name),
                .custom(from: try version(2, in: catalog).name, to: last.name, mapping: mapping),
            ]
            return try StagedMigration(stages).chain(from: first, to: last, in: catalog)
        }
        let fitting = try sourceMapping("App.xcdatamodeld/2.xcdatamodel", "App.xcdatamodeld/3.xcdatamodel")
        #expect(try chain(fitting).steps.count == 2)
        let error = #expect(throws: StagedMigrationError.self) {
            try chain(sourceMapping("App.xcdatamodeld/3.xcdatamodel", "App.xcdatamodeld/4.xcdatamodel"))
        }
        #expect(error?.description.contains("stage 2: some.xcmappingmodel: the mapping model's source is") == true)
        #expect(error?.cocoaCode == 134140)
    }

    @Test(arguments: [
        ("Old Project/Models/App.xcdatamodeld/1.xcdatamodel", "Old Project/Models/App.xcdatamodeld/2.xcdatamodel"),
        ("1.xcdatamodel", "2.xcdatamodel"), ("Elsewhere.xcdatamodeld/1.xcdatamodel", nil),
        ("App.xcdatamodeld", "App.xcdatamodeld"),
    ])
    func aMappingModelOfAMovedFolderFits(from: String, to: String?) throws {
        let catalog = try growing(4)
        for mode in [ChainMode.auto, .direct] {
            let chain = try ChainFinder(catalog: catalog, mappings: [sourceMapping(from, to)])
                .chain(from: version(1, in: catalog), to: version(2, in: catalog), mode: mode)
            #expect(chain.steps.map(\.way) == ["mapping model some.xcmappingmodel"])
        }
    }

    @Test func aMappingModelOnTheWayThatNamesItsVersionsIsFound() throws {
        let catalog = try growing(4)
        let mapping = try sourceMapping("Moved/App.xcdatamodeld/2.xcdatamodel", "Moved/App.xcdatamodeld/3.xcdatamodel")
        let chain = try ChainFinder(catalog: catalog, mappings: [mapping])
            .chain(from: version(1, in: catalog), to: version(4, in: catalog))
        #expect(chain.steps.map(\.way) == ["inference", "mapping model some.xcmappingmodel", "inference"])
    }

    // MARK: - Inferred steps that are one

    @Test func anAttributeThatIsRenamedTwiceGoesTheAppsWayUnlessVersionsAreAskedFor() throws {
        let catalog = try catalog([
            Self.attribute("a"), Self.attribute("b", "optional=\"YES\" elementID=\"a\""),
            Self.attribute("c", "optional=\"YES\" elementID=\"b\""),
        ])
        let chain = try ChainFinder(catalog: catalog).chain(from: version(1, in: catalog), to: version(3, in: catalog))
        #expect(chain.steps.map(\.destination.name) == ["3"])
        let finding = try #require(chain.findings.first)
        #expect(finding.code == "versions-keep-more" && finding.severity == .note && finding.count == 1)
        #expect(finding.message.contains("going through 2 would keep Note.a, and --chain versions"))
        #expect(try steps(catalog, 1, 3, [], mode: .versions) == ["1>2", "2>3"])
        // With the identifier carried on, as it should be, one step finds it.
        let carried = try self.catalog([
            Self.attribute("a"), Self.attribute("b", "optional=\"YES\" elementID=\"a\""),
            Self.attribute("c", "optional=\"YES\" elementID=\"a\""),
        ])
        #expect(try steps(carried, 1, 3, [], mode: .versions) == ["1>3"])
        let same = try ChainFinder(catalog: carried).chain(from: version(1, in: carried), to: version(3, in: carried))
        #expect(same.findings.isEmpty)
    }

    @Test func whatAVersionInBetweenLacksIsNoReasonToGoThere() throws {
        let catalog = try catalog([
            Self.attribute("a") + Self.attribute("b") + Self.attribute("x"), Self.attribute("a"),
            Self.attribute("a") + Self.attribute("b"),
        ])
        #expect(try steps(catalog, 1, 3, [], mode: .versions) == ["1>3"])
        let chain = try ChainFinder(catalog: catalog).chain(from: version(1, in: catalog), to: version(3, in: catalog))
        #expect(chain.findings.isEmpty)
    }

    @Test func aDefaultOfAVersionInBetweenCountsBetweenMappingModelsAndWhereVersionsAreAskedFor() throws {
        func versions(_ middle: String, _ last: String) throws -> VersionCatalog {
            func new(_ value: String) -> String {
                Self.attribute("n", "optional=\"YES\" defaultValueString=\"\(value)\"")
            }
            return try self.catalog([
                Self.attribute("a"), Self.attribute("a") + new(middle),
                Self.attribute("a") + new(last) + Self.attribute("y"),
                Self.attribute("a") + new(last) + Self.attribute("y") + Self.attribute("z"),
            ])
        }
        #expect(try steps(versions("x", "y"), 1, 4, [(3, 4)]) == ["1>2", "2>3", "3>4 3to4.yaml"])
        #expect(try steps(versions("x", "x"), 1, 4, [(3, 4)]) == ["1>3", "3>4 3to4.yaml"])
        // Without mapping models the last version's holds, as where Core Data infers.
        let catalog = try versions("x", "y")
        #expect(try steps(catalog, 1, 4, []) == ["1>4"])
        #expect(try steps(catalog, 1, 4, [], mode: .versions) == ["1>2", "2>4"])
        let chain = try ChainFinder(catalog: catalog).chain(from: version(1, in: catalog), to: version(4, in: catalog))
        #expect(chain.findings.map(\.code) == ["versions-keep-more"])
        #expect(chain.findings.first?.message.contains("other values or links through 2") == true)
    }

    @Test func whatOneStepCannotInferIsRefusedWithTheWayThatCould() throws {
        let catalog = try self.catalog([
            Self.attribute("a"), Self.attribute("b"), "<attribute name=\"a\" optional=\"YES\" attributeType=\"Date\"/>",
        ])
        let chain = try ChainFinder(catalog: catalog).chain(from: version(1, in: catalog), to: version(3, in: catalog))
        #expect(chain.steps.map(\.way) == ["inference"])
        #expect(chain.findings.map(\.code) == ["versions-lead-there"])
        #expect(try steps(catalog, 1, 3, [], mode: .versions) == ["1>2", "2>3"])
    }
}

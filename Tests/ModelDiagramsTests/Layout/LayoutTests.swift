import ManagedObjectModels
import TestSupport
import Testing

@testable import ModelDiagrams

@Suite struct LayoutTests {
    @Test(arguments: ["Company", "Recipes", "Ledger"], DiagramDetail.allCases)
    func samplesAreDrawnCleanly(name: String, detail: DiagramDetail) throws {
        let diagram = EntityDiagram(of: try DiagramModels.sample(name), title: name, detail: detail)
        #expect(LayoutProblems(diagram).found == [])
    }

    @Test func hostileNamesAreDrawnCleanly() throws {
        #expect(LayoutProblems(EntityDiagram(of: try DiagramModels.hostile(), title: "h")).found == [])
    }

    @Test(
        .long, .enabled(if: Corpus.isPresent, "there is no corpus"), arguments: DiagramModels.bundles,
        DiagramDetail.allCases)
    func realModelsAreDrawnCleanly(bundle: String, detail: DiagramDetail) throws {
        guard let versions = try DiagramModels.corpus(bundle) else { return }
        let diagram = EntityDiagram(of: try ResolvedModel(versions.current().model()), title: bundle, detail: detail)
        #expect(LayoutProblems(diagram).found == [])
    }

    @Test(.long, .enabled(if: Corpus.isPresent, "there is no corpus"), arguments: DiagramModels.bundles, [true, false])
    func realChangesAreDrawnCleanly(bundle: String, showsUnchanged: Bool) throws {
        guard let versions = try DiagramModels.corpus(bundle), let first = versions.versions.first else { return }
        let diagram = EntityDiagram(
            from: try ResolvedModel(first.model()), to: try ResolvedModel(versions.current().model()), title: bundle,
            showsUnchanged: showsUnchanged)
        #expect(LayoutProblems(diagram).found == [])
    }

    @Test func anEmptyModelIsDrawn() throws {
        let diagram = EntityDiagram(of: try ResolvedModel(ManagedObjectModel()), title: "empty")
        #expect(LayoutProblems(diagram).found == [])
        #expect(try diagram.svg().contains("0 entities, 0 relationships"))
    }

    @Test func aChainOfManyEntitiesIsFoldedIntoColumns() throws {
        let entities = (0..<90).map { index in
            EntityDescription(
                name: "E\(index)", superentityName: index.isMultiple(of: 10) ? nil : "E\(index - 1)",
                relationships: [RelationshipDescription(name: "next", destinationEntityName: "E\((index + 37) % 90)")])
        }
        let diagram = EntityDiagram(of: try ResolvedModel(ManagedObjectModel(entities: entities)), title: "chain")
        let layout = SVGRenderer(diagram.content).layout
        #expect(LayoutProblems(diagram).found == [])
        #expect(layout.width / layout.height > 0.7 && layout.width / layout.height < 4)
    }

    @Test func whatNobodyCouldReadIsRefused() throws {
        let entities = (0...DiagramError.maximumBoxes).map { EntityDescription(name: "E\($0)") }
        let diagram = EntityDiagram(of: try ResolvedModel(ManagedObjectModel(entities: entities)), title: "t")
        #expect(throws: DiagramError(boxes: 1_001, lines: 0)) { try diagram.svg() }
        #expect(diagram.dot().contains("E1000"))
    }

    @Test func ascendingValuesStayAndOthersMeetInTheMiddle() {
        #expect(Isotonic.ascending([1, 2, 3]) == [1, 2, 3])
        #expect(Isotonic.ascending([3, 1]) == [2, 2])
        #expect(Isotonic.ascending([1, 6, 3, 3, 9]) == [1, 4, 4, 4, 9])
        #expect(Isotonic.ascending([]) == [])
    }
}

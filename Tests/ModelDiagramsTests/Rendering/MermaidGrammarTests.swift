import ManagedObjectModels
import ModelDiagrams
import TestSupport
import Testing

/// What is written is Mermaid: each line by the grammar.
@Suite struct MermaidGrammarTests {
    private func check(_ diagram: EntityDiagram, entities: Int? = nil) {
        let grammar = MermaidGrammar(diagram.mermaid())
        #expect(grammar.faults == [])
        if let entities { #expect(grammar.classes.count == entities) }
    }

    @Test(arguments: [DiagramDetail.all, .relationships, .none])
    func theSamplesAndHostileNames(_ detail: DiagramDetail) throws {
        let samples = try ["Company", "Recipes", "Ledger", "Library"].map { try DiagramModels.sample($0) }
        for model in try samples + [DiagramModels.hostile()] {
            check(EntityDiagram(of: model, title: "a \"b\\\n: c", detail: detail), entities: model.entities.count)
        }
    }

    @Test(arguments: [DiagramDetail.all, .relationships, .none])
    func changesOfVersions(_ detail: DiagramDetail) throws {
        let old = try DiagramModels.sample("Company", "Company")
        let new = try DiagramModels.sample("Company", "Company 4")
        check(EntityDiagram(from: old, to: new, title: "t", detail: detail))
        let other = try DiagramModels.hostile()
        check(EntityDiagram(from: old, to: other, title: "t", detail: detail, showsUnchanged: true))
    }

    @Test(.enabled(if: Corpus.isPresent, "there is no corpus"), arguments: DiagramModels.bundles)
    func realModels(_ bundle: String) throws {
        guard let versions = try DiagramModels.corpus(bundle) else { return }
        let model = try ResolvedModel(versions.current().model())
        check(EntityDiagram(of: model, title: bundle), entities: model.entities.count)
    }

    @Test(arguments: [
        "class e1", "class e0[\"A\"]\nclass e0[\"B\"]", "e0 -- e1 : x", "class e0[\"A\"]\ne0 --> e0",
        "class e0[\"<A>\"]",
        "class e0[\"A\"] {\n    x {}\n}", "class e0[\"A\"] {", "class e0[\"A\"]\ne0 \"many\" -- e0 : x", "graph",
    ])
    func theGrammarRefusesOthers(_ body: String) {
        #expect(!MermaidGrammar("---\ntitle: \"t\"\n---\nclassDiagram\n\(body)\n").faults.isEmpty)
    }
}

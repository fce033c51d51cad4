import Foundation
import FoundationXML
import ManagedObjectModels
import TestSupport
import Testing

@testable import ModelDiagrams

@Suite struct RenderingTests {
    private func occurrences(of text: String, in whole: String) -> Int {
        whole.components(separatedBy: text).count - 1
    }

    private func isWellFormed(_ text: String) -> Bool {
        XMLParser(data: Data(text.utf8)).parse()
    }

    private func models() throws -> [ResolvedModel] {
        try ["Company", "Recipes", "Ledger"].map { try DiagramModels.sample($0) } + [DiagramModels.hostile()]
    }

    @Test func everyEntityAndEveryRelationshipIsShownOnce() throws {
        for model in try models() {
            let diagram = EntityDiagram(of: model, title: "t")
            let heirs = model.entities.count { $0.superentity != nil }
            let relationships = DiagramModels.relationshipCount(model)
            let svg = try diagram.svg()
            #expect(occurrences(of: "<g class=\"entity ", in: svg) == model.entities.count)
            #expect(occurrences(of: "<g class=\"relationship ", in: svg) == relationships)
            #expect(occurrences(of: "<g class=\"inheritance ", in: svg) == heirs)
            let mermaid = diagram.mermaid()
            #expect(occurrences(of: "\nclass e", in: mermaid) == model.entities.count)
            #expect(occurrences(of: "<|--", in: mermaid) == heirs)
            #expect(mermaid.split(separator: "\n").count { $0.hasPrefix("e") && $0.contains(" : ") } == relationships)
            let dot = diagram.dot()
            #expect(occurrences(of: " [label=<<table", in: dot) == model.entities.count)
            #expect(occurrences(of: " -> ", in: dot) == relationships + heirs)
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "there is no corpus"), arguments: DiagramModels.bundles)
    func realModelsAreShownInFull(bundle: String) throws {
        guard let versions = try DiagramModels.corpus(bundle) else { return }
        let model = try ResolvedModel(versions.current().model())
        let svg = try EntityDiagram(of: model, title: bundle).svg()
        #expect(isWellFormed(svg))
        #expect(occurrences(of: "<g class=\"entity ", in: svg) == model.entities.count)
        #expect(occurrences(of: "<g class=\"relationship ", in: svg) == DiagramModels.relationshipCount(model))
    }

    @Test func namesAreEscaped() throws {
        let diagram = EntityDiagram(of: try DiagramModels.hostile(), title: "<\"&'>\u{1}")
        let svg = try diagram.svg()
        #expect(isWellFormed(svg))
        #expect(svg.contains("&lt;A &amp; &quot;B&quot;&gt;"))
        #expect(svg.contains("<title id=\"title\">&lt;&quot;&amp;'&gt;\u{FFFD}</title>"))
        #expect(svg.contains("…"), "a long name is cut")
        let mermaid = diagram.mermaid()
        #expect(mermaid.contains("class e2[\"#60;A #38; #34;B#34;#62;\"]"))
        #expect(mermaid.contains("#123;#124;#125;#91;#93;#92;"))
        #expect(mermaid.split(separator: "\n").allSatisfy { !$0.contains("-->;") })
        #expect(diagram.dot().contains("<b>&lt;A &amp; &quot;B&quot;&gt;</b>"))
    }

    @Test func theTextIsTheSameEveryTime() throws {
        for model in try models() {
            let (first, second) = (EntityDiagram(of: model, title: "t"), EntityDiagram(of: model, title: "t"))
            #expect(try first.svg() == second.svg())
            #expect(first.mermaid() == second.mermaid())
            #expect(first.dot() == second.dot())
        }
    }

    /// Whether Graphviz is here to read what is written for it.
    private static let hasGraphviz = (try? ToolProcess.run("/usr/bin/env", ["dot", "-V"]))?.status == 0

    @Test(.enabled(if: hasGraphviz, "there is no Graphviz"))
    func graphvizReadsTheText() throws {
        let directory = try TemporaryDirectory()
        for (index, model) in try models().enumerated() {
            let file = try directory.write(EntityDiagram(of: model, title: "a & b").dot(), to: "\(index).dot")
            let run = try ToolProcess.run("/usr/bin/env", ["dot", "-Tcanon", "-o", directory.file("out"), file])
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.summary)")
        }
    }

    @Test func aDrawingSaysWhatItIs() throws {
        let svg = try EntityDiagram(of: DiagramModels.sample("Company"), title: "Company 4").svg()
        #expect(svg.contains("role=\"img\" aria-labelledby=\"title desc\""))
        #expect(svg.contains("<title id=\"title\">Company 4</title>"))
        #expect(svg.contains("<desc id=\"desc\">9 entities, 7 relationships</desc>"))
        #expect(svg.contains(">inherits from</text>"))
    }
}

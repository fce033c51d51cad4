import ManagedObjectModels
import Testing

@testable import ModelDiagrams

@Suite struct ChangeContentTests {
    private func content(_ showsUnchanged: Bool = false) throws -> DiagramContent {
        EntityDiagram(
            from: try DiagramModels.sample("Company", "Company"), to: try DiagramModels.sample("Company", "Company 4"),
            title: "t", showsUnchanged: showsUnchanged
        ).content
    }

    @Test func entitiesHaveTheirChange() throws {
        let nodes = try content().nodes
        func names(_ change: DiagramChange) -> Set<String> {
            Set(nodes.filter { $0.change == change }.map(\.name))
        }
        #expect(names(.added) == ["Contractor", "Organization", "Partner", "Skill"])
        #expect(names(.removed) == ["ParkingPlace"])
        #expect(names(.renamed) == ["Division"])
        #expect(names(.changed) == ["Employee", "Manager", "Person", "Project"])
    }

    @Test func propertiesHaveTheirChange() throws {
        let employee = try #require(try content().nodes.first { $0.name == "Employee" })
        func change(_ name: String) -> DiagramChange? { employee.rows.first { $0.name == name }?.change }
        #expect(change("remarks ← notes") == .renamed)
        #expect(change("level") == .removed)
        #expect(change("skills") == .added)
        #expect(change("rating") == .changed)
        #expect(change("salary") == nil, "what did not change is not listed")
        #expect(employee.rows.first { $0.name == "rating" }?.explanation?.contains("optional: yes → no") == true)
    }

    @Test func linesHaveTheirChange() throws {
        let content = try content()
        func change(_ names: String...) -> DiagramChange? { content.edges.first { $0.names == names }?.change }
        #expect(change("skills", "employees") == .added)
        #expect(change("owner", "parkingPlace") == .removed)
        let added = content.edges.filter { $0.kind == .inheritance && $0.change == .added }
        #expect(Set(added.map { content.nodes[$0.from.node].name }) == ["Contractor", "Division", "Partner"])
    }

    @Test func whatDidNotChangeIsCountedOrShown() throws {
        let source = try ResolvedModel(
            ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "B")]))
        let destination = try ResolvedModel(
            ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "B", isAbstract: true)])
        )
        let few = EntityDiagram(from: source, to: destination, title: "t").content
        #expect(few.nodes.map(\.name) == ["B"])
        #expect(few.summary == "entities: 1 changed; 1 unchanged entity is not shown")
        let all = EntityDiagram(from: source, to: destination, title: "t", showsUnchanged: true).content
        #expect(all.nodes.map(\.name) == ["A", "B"])
        let none = EntityDiagram(from: source, to: source, title: "t").content
        #expect(none.nodes.isEmpty)
        #expect(none.summary == "no entity differs; 2 unchanged entities are not shown")
    }
}

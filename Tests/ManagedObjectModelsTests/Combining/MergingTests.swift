import ManagedObjectModels
import Testing

@Suite struct MergingTests {
    private func entity(_ name: String, _ type: AttributeType = .string) -> EntityDescription {
        EntityDescription(name: name, attributes: [AttributeDescription(name: "a", type: type)])
    }

    @Test
    func entitiesFetchRequestsCompositesAndConfigurationsComeTogether() throws {
        let one = ManagedObjectModel(
            entities: [entity("A"), entity("C")],
            composites: [CompositeDescription(name: "K", elements: [AttributeDescription(name: "e", type: .string)])],
            configurations: [ConfigurationDescription(name: "Local", entityNames: ["A"])],
            fetchRequestTemplates: [FetchRequestTemplate(name: "r", entityName: "A", predicateFormat: "a == 1")],
            versionIdentifiers: ["1"])
        let other = ManagedObjectModel(
            entities: [entity("B"), entity("C")], composites: one.composites,
            configurations: [
                ConfigurationDescription(name: "Local", entityNames: ["A", "B"]),
                ConfigurationDescription(name: "Cloud", entityNames: ["C"], isUsedWithCloudKit: true),
            ],
            fetchRequestTemplates: [
                // The same in another notation.
                FetchRequestTemplate(name: "r", entityName: "A", predicateFormat: "(a = 1)"),
                FetchRequestTemplate(name: "s", entityName: "B"),
            ], versionIdentifiers: ["2", "1"])
        let merged = try ManagedObjectModel.merging([one, other])
        #expect(merged.entities.map(\.name) == ["A", "B", "C"])
        #expect(merged.composites == one.composites)
        #expect(merged.configurations.map(\.entityNames) == [["A", "B"], ["C"]])
        #expect(merged.fetchRequestTemplates.map(\.name) == ["r", "s"])
        #expect(merged.versionIdentifiers == ["1", "2"])
        #expect(try ManagedObjectModel.merging([one]) == one)
    }

    @Test
    func whatOnlySourcesSayIsNoDifference() throws {
        let compiled = try CompiledModelReader.read(
            bytes: CompiledModelWriter(FeatureModel.model).compile().bytes, name: "test"
        ).model
        var shelf = try #require(FeatureModel.model.entity(named: "Shelf"))
        shelf.codeGenerationType = "class"
        shelf.isSyncable = false
        let source = ManagedObjectModel(entities: [shelf])
        #expect(try ManagedObjectModel.merging([compiled, source]).entities.count == compiled.entities.count)
    }

    @Test
    func twoDifferentEntitiesOfOneNameAreRefusedInCoreDatasWords() {
        do {
            _ = try ManagedObjectModel.merging([
                ManagedObjectModel(entities: [entity("A")]), ManagedObjectModel(entities: [entity("A", .date)]),
            ])
            Issue.record("merged")
        } catch {
            #expect(error.code == .mergeConflict)
            #expect("\(error)".contains("Can't merge models with two different entities named 'A'"))
        }
    }

    @Test
    func soAreDifferentFetchRequestsOfOneName() {
        let models = ["a == 1", "a == 2"].map { predicate in
            ManagedObjectModel(
                entities: [entity("A")],
                fetchRequestTemplates: [FetchRequestTemplate(name: "r", entityName: "A", predicateFormat: predicate)])
        }
        #expect(throws: ModelError(.mergeConflictOf("fetch request", "r"))) { try ManagedObjectModel.merging(models) }
    }
}

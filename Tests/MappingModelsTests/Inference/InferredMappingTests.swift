import GeneratedStores
import ManagedObjectModels
import MappingModels
import Testing

@Suite struct InferredMappingTests {
    @Test func mappingsAreNamedAfterWhatTheyDo() throws {
        let pairs = try correspondence(
            [entity("Gone"), entity("Kept", [attribute("a")]), entity("Old")],
            [entity("Added"), entity("Kept", [attribute("a")]), entity("New", renamedFrom: "Old")])
        let hash = [UInt8](repeating: 7, count: 32)
        let mapping = InferredMapping(
            pairs, sourceHashes: ["Kept": hash, "Old": [1]], destinationHashes: ["Kept": hash, "New": [2]])
        #expect(
            mapping.mappingModel.entityMappings.map(\.name)
                == ["IEM_Add_Added", "IEM_Copy_Kept", "IEM_Transform_New", "IEM_Remove_Gone"])
        #expect(mapping.mappingModel.entityMappings.map(\.type) == [.add, .copy, .transform, .remove])
        let transform = mapping.mappingModel.entityMapping(named: "IEM_Transform_New")
        #expect(transform?.sourceEntityName == "Old")
        #expect(transform?.sourceEntityVersionHash == [1])
        #expect(transform?.destinationEntityVersionHash == [2])
        #expect(mapping.mappingModel.entityMapping(named: "IEM_Add_Added")?.effectiveSourceExpression == nil)
        #expect(mapping.isInferable)
        #expect(mapping.failures.isEmpty)
    }

    @Test func valuesComeFromTheSourceOrStartWithTheDefault() throws {
        let mapping = try infer(
            [entity("A", [attribute("old"), attribute("d")], [relationship("next", to: "A")])],
            [
                entity(
                    "A", [attribute("new", renamedFrom: "old"), attribute("added"), attribute("d", derived: "now()")],
                    [relationship("next", to: "A"), relationship("others", to: "A", many: true)])
            ]
        ).mappingModel.entityMapping(named: "IEM_Transform_A")
        #expect(
            mapping?.attributeMappings == [
                PropertyMapping(name: "added"), PropertyMapping(name: "d"),
                PropertyMapping(name: "new", valueExpression: #"$source.valueForKey:("old")"#),
            ])
        #expect(
            mapping?.relationshipMappings == [
                PropertyMapping(
                    name: "next",
                    valueExpression: "$manager.destinationInstancesForSourceRelationshipNamed:sourceInstances:"
                        + #"("next", $source.valueForKey:("next"))"#),
                PropertyMapping(name: "others"),
            ])
        #expect(
            mapping?.effectiveSourceExpression
                == #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "#
                + #""A", "TRUEPREDICATE"), $manager.sourceContext, NO)"#)
    }

    @Test func equalHashesWithCrossingIdentifiersAreNoCopy() throws {
        let pairs = try correspondence(
            [entity("A", [attribute("x"), attribute("y")])],
            [entity("A", [attribute("x", renamedFrom: "y"), attribute("y", renamedFrom: "x")])])
        let mapping = InferredMapping(pairs, sourceHashes: ["A": [1]], destinationHashes: ["A": [1]])
        #expect(mapping.mappingModel.entityMappings.map(\.type) == [.transform])
    }

    @Test func withoutHashesNothingIsCopied() throws {
        #expect(try infer([entity("A")], [entity("A")]).mappingModel.entityMappings.map(\.type) == [.transform])
    }

    @Test func transientPropertiesAreNotMapped() throws {
        let versions = [entity("A", [attribute("t", transient: true)], [relationship("r", to: "A", transient: true)])]
        let mapping = try infer(versions, versions).mappingModel.entityMappings.first
        #expect(mapping?.attributeMappings.isEmpty == true)
        #expect(mapping?.relationshipMappings.isEmpty == true)
    }
}

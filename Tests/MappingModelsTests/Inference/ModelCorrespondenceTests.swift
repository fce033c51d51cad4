import GeneratedStores
import ManagedObjectModels
import MappingModels
import Testing

@Suite struct ModelCorrespondenceTests {
    @Test func entitiesPairByIdentifierThenName() throws {
        let pairs = try correspondence(
            [entity("Car"), entity("Gone"), entity("Person")],
            [entity("Added"), entity("Owner", renamedFrom: "Person"), entity("Car")])
        #expect(pairs.destination.entities.map(\.name) == ["Added", "Car", "Owner"])
        #expect(pairs.sourceSlot == [nil, 0, 2])
        #expect(pairs.destinationSlot == [1, nil, 2])
        #expect(pairs.sourceEntity(of: 2)?.name == "Person")
        #expect(pairs.destinationEntity(of: 1) == nil)
    }

    @Test func propertiesPairBothWays() throws {
        let pairs = try correspondence(
            [entity("A", [attribute("old"), attribute("same"), attribute("gone")], [relationship("next", to: "A")])],
            [
                entity(
                    "A", [attribute("new", renamedFrom: "old"), attribute("same"), attribute("added")],
                    [relationship("following", to: "A", renamedFrom: "next")])
            ])
        #expect(pairs.sourceAttribute(for: "new", in: 0)?.name == "old")
        #expect(pairs.sourceAttribute(for: "same", in: 0)?.name == "same")
        #expect(pairs.sourceAttribute(for: "added", in: 0) == nil)
        #expect(pairs.sourceAttribute(for: "no such", in: 0) == nil)
        #expect(pairs.destinationAttribute(for: "old", in: 0)?.name == "new")
        #expect(pairs.destinationAttribute(for: "gone", in: 0) == nil)
        #expect(pairs.sourceRelationship(for: "following", in: 0)?.name == "next")
        #expect(pairs.destinationRelationship(for: "next", in: 0)?.name == "following")
    }

    @Test func anAttributeNeverPairsWithARelationship() throws {
        let pairs = try correspondence(
            [entity("A", [attribute("x")])], [entity("A", [], [relationship("x", to: "A")])])
        #expect(pairs.sourceRelationship(for: "x", in: 0) == nil)
        #expect(pairs.destinationAttribute(for: "x", in: 0) == nil)
    }

    @Test func transientPropertiesPairAmongThemselvesOnly() throws {
        let pairs = try correspondence(
            [entity("A", [attribute("kept", transient: true), attribute("stored", transient: true)])],
            [entity("A", [attribute("kept", transient: true), attribute("stored")])])
        #expect(pairs.sourceAttribute(for: "kept", in: 0)?.name == "kept")
        #expect(pairs.sourceAttribute(for: "stored", in: 0) == nil)
    }

    @Test func inheritedPropertiesPairInEveryHeir() throws {
        // "a" moves up from the child to the new parent, and is renamed on the way.
        let pairs = try correspondence(
            [entity("Child", [attribute("a")])],
            [entity("Parent", [attribute("b", renamedFrom: "a")]), entity("Child", parent: "Parent")])
        #expect(pairs.sourceSlot == [nil, 0])
        #expect(pairs.sourceAttribute(for: "b", in: 1)?.name == "a")
        #expect(pairs.sourceAttribute(for: "b", in: 0) == nil)
        #expect(pairs.destinationAttribute(for: "a", in: 0)?.owner == 0)
    }

    /// The canonical name is the first one, and every later version carries it.
    @Test(arguments: [(0, 1, "a", "b"), (1, 2, "b", "c"), (0, 2, "a", "c")])
    func oneIdentifierServesEveryStepOfAChain(from: Int, to: Int, old: String, new: String) throws {
        let versions = [
            [entity("A", [attribute("a")])],
            [entity("B", renamedFrom: "A", [attribute("b", renamedFrom: "a")])],
            [entity("C", renamedFrom: "A", [attribute("c", renamedFrom: "a")])],
        ]
        let pairs = try correspondence(versions[from], versions[to])
        #expect(pairs.sourceSlot == [0])
        #expect(pairs.sourceAttribute(for: new, in: 0)?.name == old)
    }
}

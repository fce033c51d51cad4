import ImportTestSupport
import StoreImport
import Testing

@testable import ImportMappings

/// A list that names an object twice, as the nodes of a closed way do: the object has its first place, and keeps it.
@Suite struct RepeatedLinkTests {
    @Test func theFirstPlaceCountsAtEachImport() throws {
        let fixture = try ImportFixture(
            entities: DraftFixture.entity(
                "Node", "id:Integer 32",
                more:
                    "<relationship name='ways' optional='YES' toMany='YES' destinationEntity='Way' inverseName='nodes' "
                    + "inverseEntity='Way'/>" + DraftFixture.unique("id"))
                + DraftFixture.entity(
                    "Way", "id:Integer 32",
                    more:
                        "<relationship name='nodes' optional='YES' toMany='YES' ordered='YES' destinationEntity='Node' "
                        + "inverseName='ways' inverseEntity='Node'/>" + DraftFixture.unique("id")))
        let ways = try fixture.write("id,nodes\n1,3 1 2 3\n", as: "ways.csv")
        let mapping = try ImportMapping(
            yaml: "import: 1\nentity: Way\nattributes: [id]\nrelationships:\n"
                + "  nodes: {by: id, from: nodes, separator: space, onMissing: create}\n")
        for _ in 0..<3 {
            try fixture.run([ways], .mapping(mapping))
            let order = try fixture.rows(
                "SELECT n.ZID FROM Z_1WAYS j JOIN ZNODE n ON n.Z_PK = j.Z_1NODES ORDER BY j.Z_FOK_1NODES")
            #expect(order == ["3", "1", "2"])
        }
    }
}

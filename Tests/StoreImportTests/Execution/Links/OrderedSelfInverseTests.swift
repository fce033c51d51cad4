import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// An ordered relationship that is its own inverse: `Z_FOK_` has the name of the column with the elements' keys; a store
/// in which it has that of the other one is read as it is.
@Suite struct OrderedSelfInverseTests {
    private static let entities = DraftFixture.entity(
        "Person", "name",
        more: """
            <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
            inverseName="friends" inverseEntity="Person"/>
            """)
    private static let mapping = """
        entity: Person
        key: name
        attributes: [name]
        relationships: {friends: {by: name, from: friends, separator: ' '}}

        """

    private static func lists(_ owner: String, _ element: String, _ order: String) -> String {
        """
        SELECT a.ZNAME, group_concat(b.ZNAME, ' ') FROM (SELECT * FROM Z_1FRIENDS ORDER BY \(owner), \(order)) j
        JOIN ZPERSON a ON a.Z_PK = j.\(owner) JOIN ZPERSON b ON b.Z_PK = j.\(element) GROUP BY 1 ORDER BY 1
        """
    }

    private let text = "name,friends\na,c b d\nb,d a\nc,\nd,\n"
    private let found = ["a|c b d", "b|d a", "c|a", "d|b a"]

    @Test(arguments: [1, 2, 1000]) func theOrderIsThatOfTheLists(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        try fixture.run(text, as: "people.csv", mapping: Self.mapping, options: options)
        let lists = try fixture.rows(Self.lists("REFLEXIVE", "Z_1FRIENDS", "Z_FOK_1FRIENDS"))
        #expect(lists.filter { !$0.hasPrefix("d") } == found.filter { !$0.hasPrefix("d") })
        #expect(try fixture.faults() == [])
        let again = try fixture.run(text, as: "people.csv", mapping: Self.mapping, options: options)
        #expect(again.entities.allSatisfy { $0.related == 0 && $0.unrelated == 0 })
        #expect(try fixture.rows(Self.lists("REFLEXIVE", "Z_1FRIENDS", "Z_FOK_1FRIENDS")) == lists)
    }

    @Test func aStoreWithTheOtherNameIsReadTheOtherWayRound() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        try fixture.run(text, as: "people.csv", mapping: Self.mapping)
        let lists = try fixture.rows(Self.lists("REFLEXIVE", "Z_1FRIENDS", "Z_FOK_1FRIENDS"))
        let connection = try Connection(path: fixture.store, access: .readWrite)
        for (old, new) in [("Z_1FRIENDS", "aside"), ("REFLEXIVE", "Z_1FRIENDS"), ("aside", "REFLEXIVE")] {
            try connection.execute("ALTER TABLE Z_1FRIENDS RENAME COLUMN \(old) TO \(new)")
        }
        try connection.execute("ALTER TABLE Z_1FRIENDS RENAME COLUMN Z_FOK_1FRIENDS TO Z_FOK_REFLEXIVE")
        try connection.close()
        try fixture.run("name,friends\na,d c b\n", as: "people.csv", mapping: Self.mapping)
        let after = try fixture.rows(Self.lists("Z_1FRIENDS", "REFLEXIVE", "Z_FOK_REFLEXIVE"))
        #expect(after.first == "a|d c b")
        #expect(after.dropFirst().elementsEqual(lists.dropFirst()))
    }
}

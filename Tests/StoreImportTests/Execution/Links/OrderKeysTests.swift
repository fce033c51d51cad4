import SQLiteAccess
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// The places of the objects of ordered relationships.
@Suite struct OrderKeysTests {
    private func connection() throws -> Connection {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute(
            "CREATE TABLE part (owner, place); INSERT INTO part VALUES (1, 5120), (1, 2048), (2, NULL)")
        return connection
    }

    @Test func anOwnersLastKeyIsLookedUpOnceAsLongAsItIsRemembered() throws {
        let connection = try connection()
        let keys = try OrderKeyAllocator(connection, table: "part", order: "place", key: "owner", limit: 2)
        #expect(try keys.next(of: 1) == 6144)
        // A key that is not used is given again.
        #expect(try keys.next(of: 1) == 6144)
        keys.use(6144, of: 1)
        try connection.execute("DELETE FROM part")
        #expect(try keys.next(of: 1) == 7168)
        #expect(try keys.next(of: 2) == 2048)
        keys.use(2048, of: 2)
        keys.use(2048, of: 3)
        #expect(try keys.next(of: 1) == 2048)
        keys.forgetAll()
        #expect(try keys.next(of: 3) == 2048)
    }

    @Test func keysThatAreUsedUpAreAnError() throws {
        let connection = try connection()
        try connection.execute("UPDATE part SET place = 9223372036854775000")
        let keys = try OrderKeyAllocator(connection, table: "part", order: "place", key: "owner", limit: 2)
        #expect(throws: SQLiteError.self) { try keys.next(of: 1) }
    }

    private static let entities = """
        <entity name="Owner"><attribute name="number" attributeType="Integer 32"/>
        <relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Part" inverseName="owner" \
        inverseEntity="Owner"/></entity>
        <entity name="Part"><attribute name="name" attributeType="String"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="parts" \
        inverseEntity="Owner"/></entity>
        """

    @Test(arguments: [1, 2, 3, 7])
    func partsKeepTheirOrderAlsoOfMoreOwnersThanAreRememberedAndWhenSomeMove(limit: Int) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 5))
        options.fixedLimits.orderedOwners = limit
        let mapping = """
            entity: Part
            key: name
            attributes: [name]
            relationships: {owner: {by: number, from: owner, onMissing: create}}
            """
        let owners = (0..<40).map { $0 * 7 % 9 }
        let rows = owners.enumerated().map { "p\($0 + 10),\($1)\n" }.joined()
        try fixture.run("name,owner\n" + rows, as: "p.csv", mapping: mapping, options: options)
        let order = """
            SELECT o.ZNUMBER, group_concat(p.ZNAME) FROM ZOWNER o JOIN (SELECT * FROM ZPART ORDER BY Z_FOK_OWNER) p
            ON p.ZOWNER = o.Z_PK GROUP BY 1 ORDER BY 1
            """
        func lists(_ owners: [Int]) -> [String] {
            Set(owners).sorted().map { owner in
                "\(owner)|" + owners.indices.filter { owners[$0] == owner }.map { "p\($0 + 10)" }.joined(separator: ",")
            }
        }
        #expect(try fixture.rows(order) == lists(owners))
        // All of one go to another, who gets new ones behind them.
        let moved = owners.indices.filter { owners[$0] == 4 }
        let more = moved.map { "p\($0 + 10),5\n" }.joined() + "q1,5\nq2,4\nq3,5\n"
        try fixture.run("name,owner\n" + more, as: "q.csv", mapping: mapping, options: options)
        let places = try fixture.rows("SELECT count(*), count(DISTINCT Z_FOK_OWNER) FROM ZPART GROUP BY ZOWNER")
        #expect(places.allSatisfy { row in Set(row.split(separator: "|")).count == 1 }, "\(places)")
        #expect(try fixture.faults() == [])
    }

    @Test func manyOwnersWithManyPartsInAListOfEachRecord() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let records = (0..<400).map { owner in
            "{\"number\": \(owner), \"parts\": [" + (0..<10).map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
                + "]}"
        }
        try fixture.run(
            "[" + records.joined(separator: ",\n") + "]", as: "o.json",
            mapping: """
                entity: Owner
                key: number
                attributes: [number]
                relationships:
                  parts: {each: 'parts[*]', entity: Part, attributes: [name]}
                """)
        #expect(
            try fixture.rows("SELECT count(*), min(Z_FOK_OWNER), max(Z_FOK_OWNER), count(DISTINCT ZOWNER) FROM ZPART")
                == ["4000|2048|11264|400"])
        #expect(
            try fixture.rows("SELECT count(*) FROM ZPART WHERE Z_FOK_OWNER <> 2048 + 1024 * CAST(ZNAME AS INTEGER)")
                == ["0"])
    }
}

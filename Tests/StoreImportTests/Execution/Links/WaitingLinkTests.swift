import SQLiteAccess
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// To-ones whose destination is not there when their record is read.
@Suite struct WaitingLinkTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Badge"><attribute name="code" attributeType="String"/>
                <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="badge" \
                inverseEntity="Person"/></entity>
                <entity name="Person"><attribute name="number" attributeType="Integer 32"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="badge" optional="YES" maxCount="1" destinationEntity="Badge" inverseName="owner" \
                inverseEntity="Badge"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
                inverseEntity="Person"/>
                <relationship name="staff" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
                inverseName="boss" inverseEntity="Person"/></entity>
                """)
        try fixture.run(
            "number,name,badge,boss\n1,a,x,\n2,b,y,1\n3,c,,1\n", as: "first.csv",
            mapping: Self.mapping("create", "skip"))
    }

    private static func mapping(_ badge: String, _ boss: String, onMatch: String = "update") -> String {
        """
        entity: Person
        key: number
        onMatch: \(onMatch)
        attributes: [number, name]
        relationships:
          badge: {by: code, from: badge, onMissing: \(badge)}
          boss: {by: number, from: boss, onMissing: \(boss)}
        """
    }

    private let people = """
        SELECT p.ZNUMBER, b.ZCODE, c.ZNUMBER, p.Z_FOK_BOSS IS NULL FROM ZPERSON p LEFT JOIN ZBADGE b ON b.Z_PK = p.ZBADGE
        LEFT JOIN ZPERSON c ON c.Z_PK = p.ZBOSS ORDER BY 1
        """

    @Test(arguments: [1, 2, 1000])
    func aToOneThatIsChangedToAKeyWhichNoObjectHasIsEmptyOnBothSidesAndReported(rows: Int) throws {
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        let report = try fixture.run(
            "number,name,badge,boss\n2,b,nowhere,99\n3,c,,1\n", as: "second.csv", mapping: Self.mapping("skip", "skip"),
            options: options)
        #expect(report.unresolvedLinks == 2)
        #expect(report.entities.first { $0.entity == "Person" }?.unrelated == 2)
        #expect(try fixture.rows(people) == ["1|x|NULL|1", "2|NULL|NULL|1", "3|NULL|1|0"])
        #expect(try fixture.rows("SELECT ZCODE, ZOWNER IS NULL FROM ZBADGE ORDER BY 1") == ["x|0", "y|1"])
        #expect(try fixture.faults() == [])
    }

    @Test func whereTheRecordIsRejectedForItTheObjectKeepsWhatItHad() throws {
        let report = try fixture.run(
            "number,name,badge,boss\n2,b,y,99\n", as: "second.csv", mapping: Self.mapping("skip", "error"))
        #expect(report.rejected == 1)
        #expect(try fixture.rows(people) == ["1|x|NULL|1", "2|y|1|0", "3|NULL|1|0"])
    }

    @Test func whereOnlyWhatIsEmptyIsFilledAnUnknownKeyEndsNothing() throws {
        try fixture.run(
            "number,name,badge,boss\n2,b,nowhere,99\n3,c,y,\n", as: "second.csv",
            mapping: Self.mapping("skip", "skip", onMatch: "fill"))
        let rows = try fixture.rows(people)
        #expect(rows == ["1|x|NULL|1", "2|NULL|1|0", "3|y|1|0"], "\(rows)")
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func theLastRecordCountsAlsoBeforeOneThatAnEarlierRecordWaitsFor(rows: Int) throws {
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        // Bosses: of 1 first one that comes later, then one that is there; of 2 the other way round; of 3 one that comes
        // later, then none; of 4 one that comes later, then one that never comes.
        let report = try fixture.run(
            "number,name,boss\n1,a,10\n1,a,3\n2,b,3\n2,b,10\n3,c,10\n3,c,\n4,d,10\n4,d,99\n10,j,\n", as: "second.csv",
            mapping: """
                entity: Person
                key: number
                attributes: [number, name]
                relationships: {boss: {by: number, from: boss}}
                """, options: options)
        #expect(
            try fixture.rows(people) == [
                "1|x|3|0", "2|y|10|0", "3|NULL|NULL|1", "4|NULL|NULL|1", "10|NULL|NULL|1",
            ])
        #expect(report.unresolvedLinks == 1)
    }
}

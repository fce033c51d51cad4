import Foundation
import RecordSources
import StoreImport
import TestSupport
import Testing

/// A record is imported whole or not at all.
@Suite struct RejectionImportTests {
    private static let entities = """
        <entity name="Order"><attribute name="number" attributeType="Integer 32"/>
        <attribute name="token" optional="YES" attributeType="String"/>
        <relationship name="customer" optional="YES" maxCount="1" destinationEntity="Customer" inverseName="orders" \
        inverseEntity="Customer"/>
        <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="orders" inverseEntity="Tag"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="token"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="Customer"><attribute name="name" attributeType="String"/>
        <attribute name="mail" optional="YES" attributeType="String"/>
        <relationship name="orders" optional="YES" toMany="YES" destinationEntity="Order" inverseName="customer" \
        inverseEntity="Order"/></entity>
        <entity name="Tag"><attribute name="name" attributeType="String"/>
        <relationship name="orders" optional="YES" toMany="YES" destinationEntity="Order" inverseName="tags" \
        inverseEntity="Order"/></entity>
        """
    private static let mapping = """
        objects:
          - entity: Order
            key: number
            attributes: [number, token]
            relationships:
              customer: {object: customer}
              tags: {by: name, from: tags, separator: ';', onMissing: create}
          - {id: customer, entity: Customer, key: name, attributes: {name: customer, mail: mail}}
        """

    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(entities: Self.entities)
    }

    private let orders = """
        SELECT o.ZNUMBER, o.ZTOKEN, c.ZNAME, c.ZMAIL FROM ZORDER o LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER ORDER BY 1
        """

    @Test(arguments: [1, 2, 1000])
    func aValueThatIsTakenUndoesWhatTheRecordChangedBefore(rows: Int) throws {
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        let text = """
            number,token,customer,mail,tags
            1,t,Ann,a@x,new
            2,t,Bob,b@x,old
            3,u,Ann,z@x,new
            4,t,Ann,q@x,other

            """
        let report = try fixture.run(text, as: "o.csv", mapping: Self.mapping, options: options)
        #expect(report.rejected == 2)
        #expect(report.entities.first { $0.entity == "Customer" }?.inserted == 1)
        #expect(try fixture.rows(orders) == ["1|t|Ann|z@x", "3|u|Ann|z@x"])
        #expect(try fixture.rows("SELECT ZNAME FROM ZCUSTOMER") == ["Ann"])
        #expect(try fixture.rows("SELECT ZNAME FROM ZTAG") == ["new"])
        #expect(try fixture.faults() == [])
        let again = try fixture.run(text, as: "o.csv", mapping: Self.mapping, options: options)
        #expect(again.rejected == 2)
        #expect(try fixture.rows(orders) == ["1|t|Ann|z@x", "3|u|Ann|z@x"])
    }

    @Test func theNextRecordWithTheKeyOfARejectedOneTakesItsPlace() throws {
        let mapping = "entity: Order\nkey: number\nattributes: [number, token]\n"
        let report = try fixture.run(
            "number,token\n1,t\n2,t\n2,u\n2,v\n1,v\n", as: "o.csv", mapping: mapping)
        #expect(report.rejected == 2)
        #expect(try fixture.rows(orders) == ["1|t|NULL|NULL", "2|v|NULL|NULL"])
    }

    @Test func recordsThatShareTheKeyOfARefusedOneAreRefusedForTheSameReason() throws {
        let first = "entity: Order\nkey: number\nattributes: [number, token]\n"
        try fixture.run("number,token\n1,t\n", as: "o.csv", mapping: first)
        let report = try fixture.run(
            "number,token\n1,u\n1,v\n2,w\n2,x\n", as: "o.csv", mapping: first + "onMatch: error\n")
        #expect(report.rejected == 3)
        #expect(try fixture.rows(orders) == ["1|t|NULL|NULL", "2|w|NULL|NULL"])
    }

    @Test func whatWaitsForAnObjectThatNeverComesLeavesNothingBehind() throws {
        let mapping = """
            entity: Order
            key: number
            attributes: [number]
            relationships:
              customer: {by: name, from: customer}
            """
        try fixture.run("number,customer\n1,Nobody\n", as: "o.csv", mapping: mapping)
        #expect(try fixture.rows("SELECT ZCUSTOMER FROM ZORDER") == ["NULL"])
        #expect(try fixture.faults() == [])
    }
}

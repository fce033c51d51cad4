import Foundation
import ImportMappings
import ImportTestSupport
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// Imports into a store that keeps persistent history.
@Suite struct HistoryImportTests {
    @Test func everyObjectThatAnImportMadeOrChangedIsOneChangeOfOneTransaction() throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Item"><attribute name="code" attributeType="String"/>
                <attribute name="name" optional="YES" attributeType="String"/></entity>
                """)
        let plan = ImportRun.Plan.entity(EntityRequest(entity: "Item", key: ["code"]))
        try fixture.run([try fixture.write("code,name\na,x\nb,y\n", as: "1.csv")], plan)
        try Self.keepHistory(in: fixture.store)
        let more = try fixture.write("code,name\na,z\nb,y\nc,w\n", as: "2.csv")
        try fixture.run([more], plan)
        #expect(
            try fixture.rows("SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE ORDER BY Z_PK")
                == ["0|1|3|1", "1|1|1|1"])
        #expect(
            try fixture.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT") == ["2", "1", "1"])
        try fixture.run([more], plan)
        #expect(try fixture.rows("SELECT count(*) FROM ATRANSACTION") == ["1"])
    }

    private static func keepHistory(in store: String) throws {
        let connection = try Connection(path: store, access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
            ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
            ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
            ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
            CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), \
            (16003, 'TRANSACTIONSTRING', 0, 0);
            """)
        try connection.close()
    }

    /// What a record changed that is rejected when all are read is as it was, and so not changed.
    @Test(arguments: [1, 2, 1000])
    func whatIsPutBackIsNoChange(rows: Int) throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Person"><attribute name="name" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 16"/>
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
                inverseEntity="Team"/></entity>
                <entity name="Team"><attribute name="code" attributeType="String"/>
                <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
                inverseEntity="Person"/></entity>
                """)
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                sources:
                  - files: people.csv
                    entity: Person
                    key: name
                    attributes: [name, age]
                    relationships: {team: {by: code, from: team, onMissing: error}}
                  - {files: teams.csv, entity: Team, key: code, attributes: [code]}
                """)
        func run(_ people: String, _ teams: String) throws {
            let sources = [try fixture.write(people, as: "people.csv"), try fixture.write(teams, as: "teams.csv")]
            try fixture.run(
                sources, .mapping(mapping), options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
        }
        func changes() throws -> [String] {
            try fixture.rows(
                "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE ORDER BY ZTRANSACTIONID, 2, 3")
        }
        try run("name,age,team\na,1,x\nb,1,x\n", "code\nx\n")
        try Self.keepHistory(in: fixture.store)
        let faulty = "name,age,team\na,2,gone\n"
        try run(faulty, "code\nx\n")
        try run(faulty, "code\nx\n")
        #expect(try changes() == [] && fixture.rows("SELECT count(*) FROM ATRANSACTION") == ["0"])
        // Beside others, and before and behind a record that stays.
        try run(faulty + "b,2,x\nc,2,x\n", "code\nx\n")
        #expect(try changes() == ["1|1|2|1", "0|1|3|1"])
        try run(faulty + "a,3,x\n", "code\nx\n")
        try run("name,age,team\na,4,x\na,5,gone\n", "code\nx\n")
        #expect(try changes().suffix(2) == ["1|1|1|2", "1|1|1|3"])
        #expect(try fixture.rows("SELECT ZNAME, ZAGE FROM ZPERSON ORDER BY 1") == ["a|4", "b|2", "c|2"])
    }
}

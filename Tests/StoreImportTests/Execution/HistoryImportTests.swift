import Foundation
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
        let connection = try Connection(path: fixture.store, access: .readWrite)
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
}

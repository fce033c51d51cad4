import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// Tables beside the model's that name entities by number.
@Suite struct EntityNumberTests {
    static let mirror =
        "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER);"
    static let notes = [entity("Note", [attribute("text")])]

    /// A pair is unique: 1 becomes 2 while there still is a 2, which becomes 3.
    @Test(arguments: TestStore.placements)
    func aMirrorFollowsTheNumbersAndIsWarnedOf(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [entity("Note"), entity("Page"), entity("Tag")],
            to: [entity("Label"), entity("Note"), entity("Page")],
            rows: Self.mirror + "CREATE UNIQUE INDEX pairs ON ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK);"
                + "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER);"
                + "INSERT INTO ANSCKEVENT VALUES (1, 1);"
                + "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 7), (2, 2, 7), (3, 3, 7), (4, 9, 7), (5, NULL, 7), "
                + "(6, 16004, 7)")
        let finding = try #require(try store.plan(placement).findings.first { $0.code == "mirroring-numbers-change" })
        #expect(finding.severity == .warning)
        #expect(finding.message.contains("reset the mirror") && finding.message.contains("removed (2)"))
        let kept = try #require(try store.plan(placement).findings.first { $0.code == "unknown-tables" })
        #expect(
            kept.message.contains("except where another finding says")
                && kept.message.hasSuffix(
                    ": ANSCKEVENT, ANSCKRECORDMETADATA"),
            "\(kept.message)")
        #expect(!kept.message.contains("unchanged"), "\(kept.message)")
        try store.migrate(placement)
        #expect(
            try store.rows("SELECT * FROM ANSCKRECORDMETADATA ORDER BY 1") == ["1|2|7", "2|3|7", "5||7", "6|16004|7"])
        #expect(try store.rows("SELECT * FROM ANSCKEVENT") == ["1|1"])
    }

    @Test func aMirrorWhoseNumbersStayIsNot() throws {
        let store = try TestStore(from: Self.notes, to: Self.notes + [entity("Page")], rows: Self.mirror)
        #expect(!(try store.plan().findings.contains { $0.code == "mirroring-numbers-change" }))
    }
}

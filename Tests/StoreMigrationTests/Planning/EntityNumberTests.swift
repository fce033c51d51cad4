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

    @Test(arguments: TestStore.placements)
    func aMirrorWhoseNumbersChangeIsWarnedOf(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: Self.notes, to: [entity("Label")] + Self.notes,
            rows: Self.mirror + "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 7)")
        let finding = try #require(try store.plan(placement).findings.first { $0.code == "mirroring-numbers-change" })
        #expect(finding.severity == .warning)
        #expect(finding.message.contains("reset the mirror"))
        try store.migrate(placement)
        #expect(try store.rows("SELECT * FROM ANSCKRECORDMETADATA") == ["1|1|7"])
    }

    @Test func aMirrorWhoseNumbersStayIsNot() throws {
        let store = try TestStore(from: Self.notes, to: Self.notes + [entity("Page")], rows: Self.mirror)
        #expect(!(try store.plan().findings.contains { $0.code == "mirroring-numbers-change" }))
    }
}

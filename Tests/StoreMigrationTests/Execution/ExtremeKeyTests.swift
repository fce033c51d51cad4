import Foundation
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Keys at both ends of what SQLite can number, and names that the migration itself would use.
@Suite struct ExtremeKeyTests {
    @Test(arguments: TestStore.placements, [1, 2, 1000])
    func rowsWithTheLowestAndTheHighestKeyGoOver(placement: MigrationPlacement, batch: Int) throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("text")])],
            to: [
                entity("Memo"),
                entity("Note", [attribute("number", .integer64), attribute("text", .string, default: nil)]),
            ],
            rows: """
                INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (-9223372036854775808, 1, 'a'), (-1, 1, 'b'), (7, 1, 'c'),
                (9223372036854775807, 1, 'd');
                """)
        try store.migrate(placement, options: MigrationOptions(limits: .init(rows: batch)))
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE ORDER BY Z_PK") == ["a", "b", "c", "d"])
    }

    @Test(arguments: TestStore.placements)
    func externalRowsWithTheLowestKeyBecomeInline(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("data", .binaryData, external: true)])],
            to: [entity("Note", [attribute("data", .binaryData)])],
            rows: """
                INSERT INTO ZNOTE (Z_PK, Z_ENT, ZDATA) VALUES (-9223372036854775808, 1, X'0141'), (3, 1, X'0142'),
                (9223372036854775807, 1, X'0143');
                """)
        let findings = try store.migrate(placement, options: MigrationOptions(limits: .init(rows: 1))).findings
        #expect(findings.map(\.code) == ["external-data-inlined"] && findings.map(\.severity) == [.warning])
        #expect(try store.rows("SELECT hex(ZDATA) FROM ZNOTE ORDER BY Z_PK") == ["41", "42", "43"])
    }

    /// The objects of the second table come behind those of the first.
    @Test func keysThatLeaveNoRoomForAnotherTableAreRefused() throws {
        let store = try TestStore(
            from: [entity("Animal", [attribute("name")]), entity("Bird", [attribute("name")])],
            to: [entity("Being", [attribute("name")])],
            rows: """
                INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME) VALUES (9223372036854775807, 1, 'a');
                INSERT INTO ZBIRD (Z_PK, Z_ENT, ZNAME) VALUES (1, 2, 'b');
                """)
        let mappings = ["Animal", "Bird"].map {
            EntityMapping(
                name: $0, type: .undefined, sourceEntityName: $0, destinationEntityName: "Being",
                attributeMappings: [PropertyMapping(name: "name", isExpressionGenerated: true)],
                relationshipMappings: [])
        }
        let error = #expect(throws: MigrationError.self) {
            try store.migrate(
                by: MappingModel(entityMappings: mappings), PolicyRegistry(), options: MigrationOptions())
        }
        #expect(error?.description.contains("far too high") ?? false)
        #expect(try store.rows("SELECT ZNAME FROM ZANIMAL") == ["a"])
    }

    @Test(arguments: TestStore.placements)
    func theHighestKeyThatWasHandedOutGoesOver(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("text")])], to: [entity("Memo"), entity("Note", [attribute("text")])],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
        try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Note'")
        try store.migrate(placement)
        #expect(try store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == ["9223372036854775807"])
    }

    /// A file with a hole takes no space on the disk, and would take all of the memory.
    @Test(arguments: TestStore.placements)
    func anExternalFileThatIsTooLargeForARowIsRefusedUnread(placement: MigrationPlacement) throws {
        let name = "0A1B2C3D-0000-4000-8000-00000000000F"
        let store = try TestStore(
            from: [entity("Note", [attribute("data", .binaryData, external: true)])],
            to: [entity("Note", [attribute("data", .binaryData)])],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, ZDATA) VALUES (1, 1, CAST(X'02' || '\(name)' || X'00' AS BLOB))")
        let folder = ".Store_SUPPORT/_EXTERNAL_DATA"
        try FileSystem.createDirectory(store.directory.file(folder))
        let file = try store.directory.write("x", to: folder + "/" + name)
        #expect(truncate(file, 1 << 40) == 0)
        let error = #expect(throws: MigrationError.self) { try store.migrate(placement) }
        #expect(error?.description.contains("leave external storage on") ?? false)
        #expect(try store.rows("SELECT length(ZDATA) FROM ZNOTE") == ["38"])
    }

    /// An app may have an entity of any name.
    @Test(arguments: TestStore.placements)
    func tablesAndColumnsNamedLikeWorkingOnesStay(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [entity("Ferry_old_1", [attribute("text")]), entity("Note", [attribute("text", .string)])],
            to: [
                entity("Ferry_old_1", [attribute("text")]),
                entity("Note", [attribute("text", .string), attribute("flag", .boolean)]),
                entity("Page", renamedFrom: "Note2"),
            ],
            rows: """
                INSERT INTO ZFERRY_OLD_1 (Z_PK, Z_ENT, ZTEXT) VALUES (1, 1, 'mine');
                INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (1, 2, 'a');
                CREATE TABLE ZFERRY_OLD_2 (x); INSERT INTO ZFERRY_OLD_2 VALUES (5);
                """)
        try store.migrate(placement)
        #expect(try store.rows("SELECT ZTEXT FROM ZFERRY_OLD_1") == ["mine"])
        #expect(try store.rows("SELECT x FROM ZFERRY_OLD_2") == ["5"])
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a"])
    }
}

import ManagedObjectModels
import MappingModels
import StoreMigration
import Testing

/// Objects of entities that no entity mapping takes up: they are lost, and the report says so.
@Suite struct UnmappedEntityTests {
    private static func entity(_ name: String) -> EntityDescription {
        EntityDescription(name: name, attributes: [AttributeDescription(name: "text", type: .string, isOptional: true)])
    }

    private func store() throws -> TestStore {
        try TestStore(
            from: ["Kept", "Left", "Empty"].map(Self.entity), to: ["Kept", "Left", "Empty", "New"].map(Self.entity),
            rows: """
                INSERT INTO ZKEPT (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 2, 1, 'a');
                INSERT INTO ZLEFT (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 3, 1, 'b'), (2, 3, 1, 'c'), (3, 3, 1, 'd');
                """)
    }

    private static let kept = EntityMapping(
        name: "KeptToKept", type: .transform, sourceEntityName: "Kept", destinationEntityName: "Kept")

    @Test func theirObjectsAreCountedAsDroppedWithAWarning() throws {
        let store = try store()
        let report = try store.migrate(
            by: MappingModel(entityMappings: [Self.kept]), PolicyRegistry(), options: MigrationOptions())
        let dropped = try #require(report.findings.first { $0.code == "objects-dropped" })
        #expect(dropped.severity == .warning && dropped.subject == "Left" && dropped.count == 3)
        #expect(report.findings.filter { $0.code == "objects-dropped" }.count == 1)
        #expect((report.rowsRead, report.rowsWritten, report.rowsDropped) == (4, 1, 3))
        #expect(try store.rows("SELECT count(*) FROM ZLEFT") == ["0"])
    }

    @Test func aMappingThatRemovesTheEntitySaysThatItIsMeant() throws {
        let store = try store()
        let removal = EntityMapping(
            name: "IEM_Remove_Left", type: .remove, sourceEntityName: "Left")
        let report = try store.migrate(
            by: MappingModel(entityMappings: [Self.kept, removal]), PolicyRegistry(), options: MigrationOptions())
        let dropped = try #require(report.findings.first { $0.code == "objects-dropped" })
        #expect(dropped.severity == .note && dropped.count == 3)
        #expect(report.rowsDropped == 3)
    }
}

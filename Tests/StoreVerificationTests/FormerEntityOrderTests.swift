import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreVerification
import Testing
import TestSupport

/// Stores whose entities are numbered in code-point order.
@Suite struct FormerEntityOrderTests {
    // Core Data: apple 1, ant 2, Zebra 3, Banana 4. In code-point order: Banana 1, apple 2, Zebra 3, ant 4.
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(name: "apple", attributes: [], relationships: []),
        EntityDescription(name: "ant", superentityName: "apple", attributes: [], relationships: []),
        EntityDescription(name: "Zebra", superentityName: "apple", attributes: [], relationships: []),
        EntityDescription(
            name: "Banana", attributes: [],
            relationships: [RelationshipDescription(name: "fruit", destinationEntityName: "apple", isOptional: true)]),
    ])

    private static let renumbered = """
        UPDATE Z_PRIMARYKEY SET Z_MAX = 10, Z_ENT = 100 + CASE Z_NAME
            WHEN 'Banana' THEN 1 WHEN 'apple' THEN 2 WHEN 'Zebra' THEN 3 ELSE 4 END;
        UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT - 100, Z_SUPER = CASE WHEN Z_NAME IN ('ant', 'Zebra') THEN 2 ELSE 0 END;
        ALTER TABLE ZBANANA RENAME COLUMN Z1_FRUIT TO Z2_FRUIT;
        INSERT INTO ZAPPLE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 4, 1), (3, 2, 1);
        INSERT INTO ZBANANA (Z_PK, Z_ENT, Z_OPT, ZFRUIT, Z2_FRUIT) VALUES (1, 1, 1, 2, 4);
        """

    private func counts(_ sql: String) throws -> [String: Int64] {
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(Self.model)
        let path = directory.file("Store.sqlite")
        let store = NewStore(
            model: model,
            hashes: model.entities.reduce(into: [:]) { $0[$1.name] = [UInt8](repeating: 7, count: 32) },
            digest: "", checksum: "", uuid: "0B7E0C0E-5B3D-4E0F-9C52-3B1F2A7C9D10")
        let connection = try Connection(path: path, access: .create)
        try store.createTables(connection)
        for index in store.layout.indexes().indexes { try connection.execute(index.createStatement) }
        try connection.execute(Self.renumbered)
        try connection.execute(sql)
        try connection.close()
        let report = try StoreVerifier(SQLiteStore(path: path), model: model).verify()
        return report.findings.reduce(into: [:]) { $0[$1.code, default: 0] += $1.count }
    }

    @Test func aStoreThatKeepsItThroughoutIsOnlyNoted() throws {
        #expect(try counts("SELECT 1") == ["former-entity-order": 1])
    }

    @Test func rowsThatDoNotKeepItAreFaults() throws {
        #expect(
            try counts("UPDATE ZAPPLE SET Z_ENT = 1 WHERE Z_PK = 3")
                == ["former-entity-order": 1, "unknown-entity-number": 1])
    }

    @Test func anEntityWithANumberOfNeitherOrderIsAFault() throws {
        let found = try counts("UPDATE Z_PRIMARYKEY SET Z_ENT = 9 WHERE Z_NAME = 'ant'")
        #expect(found["entity-number-wrong"] == 4)
        #expect(found["former-entity-order"] == nil)
    }
}

import GeneratedStores
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

@Suite struct ExternalDataCheckTests {
    static let there = "0A1B2C3D-0000-4000-8000-00000000000F"
    static let gone = "0A1B2C3D-0000-4000-8000-0000000000AA"
    static let unused = "FFFFFFFF-0000-4000-8000-0000000000BB"

    @Test func missingFilesAndFilesWithoutARowAreFound() throws {
        let store = try TestStore(
            from: [entity("Photo", [attribute("image", .binaryData, external: true)])],
            to: [entity("Photo", [attribute("date", .date), attribute("image", .binaryData, external: true)])],
            rows: """
                INSERT INTO ZPHOTO (Z_PK, Z_ENT, ZIMAGE) VALUES (1, 1, X'0141'), (5, 1, NULL),
                (2, 1, CAST(X'02' || '\(Self.there)' || X'00' AS BLOB)), (3, 1, CAST(X'02' || '\(Self.gone)' || X'00' AS BLOB));
                """)
        let folder = ".Store_SUPPORT/_EXTERNAL_DATA"
        try FileSystem.createDirectory(store.directory.file(folder))
        for name in [Self.there, Self.unused, "notes.txt"] { try store.directory.write("x", to: folder + "/" + name) }
        let findings = try store.plan(isThorough: true).findings
        let missing = try #require(findings.first { $0.code == "external-data-missing" })
        #expect(missing.subject == "Photo.image" && missing.count == 1)
        #expect(missing.examples == ["x-coredata://\(TestStore.uuid)/Photo/p3"])
        let unused = try #require(findings.first { $0.code == "external-data-unused" })
        #expect(unused.count == 2 && unused.examples == [Self.unused])
    }

    @Test(arguments: [there, gone, unused])
    func namesOfFilesComeBack(name: String) {
        #expect(UUIDBytes(name.utf8)?.text == name)
    }

    @Test(arguments: ["", "0A1B2C3D", there + "0", there.replacing("-", with: "0"), there.replacing("F", with: "G")])
    func otherNamesAreNone(name: String) {
        #expect(UUIDBytes(name.utf8) == nil)
    }
}

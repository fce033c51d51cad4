import GeneratedStores
import ManagedObjectModels
import MappingModels
import StoreMigration
import Testing

/// What is asked of the rows before a mapping model makes new objects of them.
@Suite struct MappedDataCheckTests {
    private static func note(_ type: AttributeType) -> [EntityDescription] {
        [
            entity("Folder", [attribute("name")]),
            entity("Note", [attribute("size", type)], [relationship("folder", to: "Folder")]),
            entity("Page", [attribute("size", type)], [relationship("folder", to: "Folder")]),
        ]
    }

    private static func store(
        folders: String, from old: AttributeType = .double, to new: AttributeType = .float, sizes: String
    ) throws -> TestStore {
        try TestStore(
            from: note(old), to: note(new),
            rows: """
                INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES \(folders);
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZSIZE) VALUES \(sizes);
                INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (1, 3, 1, 2), (2, 3, 1, 9);
                """)
    }

    private static func mapping(_ size: String = "$source.size") -> MappingModel {
        let size = PropertyMapping(name: "size", valueExpression: size)
        return MappingModel(
            entityMappings: ["Folder", "Note", "Page"].map { name in
                EntityMapping(
                    name: name, type: .transform, sourceEntityName: name, destinationEntityName: name,
                    attributeMappings: name == "Folder" ? [] : [size],
                    // So that the objects are recreated.
                    sourceFilter: name == "Folder" ? "name == NULL" : nil)
            })
    }

    private static func found(_ code: String, _ store: TestStore, _ size: String = "$source.size") throws -> [String] {
        try store.plan(by: mapping(size), .refuse).findings.filter { $0.code == code }.map {
            "\($0.severity) \($0.subject ?? "") \($0.count ?? 0) \($0.examples.map { $0.suffix(2) })"
        }
    }

    struct Folders: Sendable {
        let rows: String
        let findings: [String]
        /// The links of notes that go over.
        let kept: Int
    }

    /// Folders with all keys in between, with a gap, with one key alone, and the farthest apart: two entities lead to
    /// them.
    @Test(arguments: [
        Folders(
            rows: "(1, 1, 1), (2, 1, 1), (3, 1, 1)",
            findings: [#"warning Note.folder 1 ["p3"]"#, #"warning Page.folder 1 ["p2"]"#], kept: 2),
        Folders(
            rows: "(1, 1, 1), (3, 1, 1)",
            findings: [#"warning Note.folder 2 ["p2", "p3"]"#, #"warning Page.folder 2 ["p1", "p2"]"#], kept: 1),
        Folders(
            rows: "(2, 1, 1)",
            findings: [#"warning Note.folder 2 ["p1", "p3"]"#, #"warning Page.folder 1 ["p2"]"#], kept: 1),
        Folders(
            rows: "(-2, 1, 1), (9223372036854775807, 1, 1)",
            findings: [#"warning Note.folder 3 ["p1", "p2", "p3"]"#, #"warning Page.folder 2 ["p1", "p2"]"#], kept: 0),
    ])
    func linksToNothingAreFoundWhateverKeysThereAre(folders: Folders) throws {
        let store = try Self.store(
            folders: folders.rows, sizes: "(1, 2, 1, 1, 0), (2, 2, 1, 2, 0), (3, 2, 1, 4, 0), (4, 2, 1, NULL, 0)")
        #expect(try Self.found("dangling-reference", store) == folders.findings)
        try store.migrate(by: Self.mapping(), .refuse)
        // What is there leads to an object.
        #expect(
            try store.rows("SELECT count(*) FROM ZNOTE WHERE ZFOLDER NOT IN (SELECT Z_PK FROM ZFOLDER)") == ["0"])
        #expect(
            try store.rows("SELECT count(*) FROM ZNOTE WHERE ZFOLDER IS NOT NULL") == ["\(folders.kept)"])
    }

    @Test func aNumberBeyondTheRangeOfFloatIsRefused() throws {
        let store = try Self.store(
            folders: "(2, 1, 1)",
            sizes:
                "(1, 2, 1, 2, 1e300), (2, 2, 1, 2, -3.5e38), (3, 2, 1, 2, 3.4e38), (4, 2, 1, 2, 0.1), (5, 2, 1, 2, NULL)"
        )
        #expect(try Self.found("value-out-of-range", store) == [#"error Note.size 2 ["p1", "p2"]"#])
        #expect(throws: MigrationError.self) { try store.migrate(by: Self.mapping(), .refuse) }
        #expect(try store.rows("SELECT count(*) FROM ZNOTE WHERE ZSIZE = 1e300") == ["1"])
        #expect(try Self.found("value-out-of-range", store, "$source.size / 1000000000000000000 * 0") == [])
    }

    /// A value that is only copied is what it was.
    @Test func whatAFloatAttributeHadIsKept() throws {
        let store = try Self.store(folders: "(2, 1, 1)", from: .float, sizes: "(1, 2, 1, 2, 1e300)")
        #expect(try Self.found("value-out-of-range", store) == [])
    }
}

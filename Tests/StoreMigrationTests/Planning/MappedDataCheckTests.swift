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
            "\($0.severity.rawValue) \($0.subject ?? "") \($0.count ?? 0) \($0.examples.map { $0.suffix(2) })"
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

    /// A message had a file that others had, too; now each file is of one message.
    private static func messages() throws -> TestStore {
        func model(_ isToMany: Bool) -> [EntityDescription] {
            [
                entity("File", [], [relationship("message", to: "Message", inverse: "file", many: isToMany)]),
                entity("Message", [attribute("n", .integer16)], [relationship("file", to: "File", inverse: "message")]),
                entity("Reply", parent: "Message", []),
            ]
        }
        return try TestStore(
            from: model(true), to: model(false),
            rows: """
                INSERT INTO ZFILE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
                INSERT INTO ZMESSAGE (Z_PK, Z_ENT, Z_OPT, ZN, ZFILE) VALUES
                (1, 2, 1, 1, 1), (2, 2, 1, 2, 2), (3, 3, 1, 3, 1), (4, 2, 1, 4, 9), (5, 2, 1, 5, 9), (6, 3, 1, 6, 3);
                """)
    }

    private static func messageMapping(filter: String?) -> MappingModel {
        MappingModel(
            entityMappings: ["File", "Message", "Reply"].map { name in
                EntityMapping(
                    name: name, type: .transform, sourceEntityName: name, destinationEntityName: name,
                    attributeMappings: name == "File"
                        ? [] : [PropertyMapping(name: "n", valueExpression: "$source.n + 1")],
                    relationshipMappings: name == "File"
                        ? [PropertyMapping(name: "message")]
                        : [PropertyMapping(name: "file", isExpressionGenerated: true)],
                    sourceFilter: name == "Reply" ? filter : nil)
            })
    }

    @Test func severalObjectsDoNotLeadToOneOfAOneToOneRelationship() throws {
        let store = try Self.messages()
        let plan = try store.plan(by: Self.messageMapping(filter: nil), .report)
        let found = plan.findings.filter { $0.code == "several-sources" }
        #expect(
            found.map { "\($0.severity.rawValue) \($0.subject ?? "") \($0.count ?? 0)" } == ["error Message.file 2"])
        #expect(found.flatMap(\.examples).map { $0.suffix(10) } == ["Message/p1"])
        #expect(throws: MigrationError.self) { try store.migrate(by: Self.messageMapping(filter: nil), .report) }
        // Where one of them stays behind, both sides answer.
        try store.migrate(by: Self.messageMapping(filter: "n != 3"), .report)
        #expect(
            try store.rows("SELECT Z_PK || ' ' || ZFILE FROM ZMESSAGE WHERE ZFILE > 0 ORDER BY 1") == [
                "1 1", "2 2", "6 3",
            ])
        #expect(try store.rows("SELECT Z_PK || ' ' || ZMESSAGE FROM ZFILE ORDER BY 1") == ["1 1", "2 2", "3 6"])
    }
}

import GeneratedStores
import ManagedObjectModels
import MappingModels
import StoreMigration
import Testing

/// What a dry run says of relationships that are required in the new version.
@Suite struct RequiredLinkTests {
    private static func link(
        _ name: String, to destination: String, inverse: String? = nil, many: Bool = false, optional: Bool = true,
        minimum: Int = 0
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name, destinationEntityName: destination, inverseName: inverse, isToMany: many, isOptional: optional,
            minimumCount: minimum)
    }

    /// Notes 1 and 2 lie in folder 1; note 3 in none. Folder 2 is empty.
    private static func store(
        note: [RelationshipDescription], folder: [RelationshipDescription], before: [[RelationshipDescription]]
    ) throws -> TestStore {
        let hasColumn = before[0].contains { !$0.isToMany }
        return try TestStore(
            from: [entity("Folder", [attribute("name")], before[1]), entity("Note", [attribute("text")], before[0])],
            to: [entity("Folder", [attribute("name")], folder), entity("Note", [attribute("text")], note)],
            rows: """
                INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 2, 1, 'x'), (2, 2, 1, 'y'), (3, 2, 1, 'z');
                \(hasColumn ? "UPDATE ZNOTE SET ZFOLDER = 1 WHERE Z_PK < 3;" : "")
                """)
    }

    private static func found(_ store: TestStore) throws -> [String] {
        try store.plan(isThorough: true).findings.filter { $0.code == "missing-relationship" }.map { finding in
            let objects = finding.examples.map { String($0.suffix(2)) }.joined(separator: " ")
            return "\(finding.subject ?? "") \(finding.cocoaCode ?? 0) \(finding.count ?? 0): \(objects)"
        }
    }

    private let both = [
        [Self.link("folder", to: "Folder", inverse: "notes")],
        [Self.link("notes", to: "Note", inverse: "folder", many: true)],
    ]

    @Test func aNewRelationshipHasNoObjectsForAnyone() throws {
        let store = try Self.store(
            note: [Self.link("folder", to: "Folder", inverse: "notes", optional: false)],
            folder: [Self.link("notes", to: "Note", inverse: "folder", many: true)], before: [[], []])
        #expect(try Self.found(store) == ["Note.folder 134110 3: p1 p2 p3"])
    }

    @Test func oneThatBecomesRequiredIsLookedAtObjectByObject() throws {
        let store = try Self.store(
            note: [Self.link("folder", to: "Folder", inverse: "notes", optional: false)],
            folder: [Self.link("notes", to: "Note", inverse: "folder", many: true, optional: false, minimum: 1)],
            before: both)
        #expect(try Self.found(store) == ["Folder.notes 134110 1: p2", "Note.folder 134110 1: p3"])
        #expect(try !store.plan(isThorough: true).isRefused)
        // A run says it as well.
        let report = try store.migrate()
        #expect(
            report.findings.filter { $0.code == "missing-relationship" }.map(\.severity) == [.warning, .warning])
        #expect(try store.rows("SELECT count(*) FROM ZNOTE WHERE ZFOLDER IS NULL") == ["1"])
    }

    @Test func aNewOneThatAnInverseFillsLacksWhatThatDoesNotReach() throws {
        let store = try Self.store(
            note: [Self.link("folder", to: "Folder", inverse: "notes")],
            folder: [Self.link("notes", to: "Note", inverse: "folder", many: true, optional: false, minimum: 1)],
            before: [[Self.link("folder", to: "Folder")], []])
        #expect(try Self.found(store) == ["Folder.notes 134110 1: p2"])
    }

    /// Core Data saves a required to-many without objects where the model names no minimum.
    @Test func aRequiredToManyWithoutAMinimumMayHaveNone() throws {
        let store = try Self.store(
            note: [Self.link("folder", to: "Folder", inverse: "notes")],
            folder: [Self.link("notes", to: "Note", inverse: "folder", many: true, optional: false)], before: both)
        #expect(try Self.found(store) == [])
    }

    @Test func whatWasRequiredBeforeIsNoNews() throws {
        let note = [Self.link("folder", to: "Folder", inverse: "notes", optional: false)]
        let store = try Self.store(note: note, folder: both[1], before: [note, both[1]])
        #expect(try Self.found(store) == [])
    }

    /// By a mapping model, whose values are computed: the run is refused then.
    private static func mapping(folders: String? = nil) -> MappingModel {
        let text = PropertyMapping(name: "text", valueExpression: "$source.text + \"!\"")
        return MappingModel(entityMappings: [
            EntityMapping(
                name: "FolderToFolder", type: .transform, sourceEntityName: "Folder",
                destinationEntityName: "Folder", sourceFilter: folders),
            EntityMapping(
                name: "NoteToNote", type: .transform, sourceEntityName: "Note", destinationEntityName: "Note",
                attributeMappings: [text]),
        ])
    }

    @Test func aDryRunByAMappingModelIsRefusedAsTheRunIs() throws {
        let store = try Self.store(
            note: [Self.link("folder", to: "Folder", inverse: "notes", optional: false)], folder: both[1], before: both)
        let plan = try store.plan(by: Self.mapping(), .refuse, isThorough: true)
        let found = plan.findings.filter { $0.code == "missing-required-value" }
        #expect(found.count == 1)
        let finding = try #require(found.first)
        #expect((finding.subject, finding.count, finding.severity) == ("Note.folder", 1, .error))
        #expect(plan.isRefused)
        #expect(throws: MigrationError.self) { try store.migrate(by: Self.mapping(), .refuse) }
        // Now each note has a folder.
        try store.execute("UPDATE ZNOTE SET ZFOLDER = 1")
        #expect(try !store.plan(by: Self.mapping(), .refuse, isThorough: true).isRefused)
        try store.migrate(by: Self.mapping(), .refuse)
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE ORDER BY Z_PK") == ["x!", "y!", "z!"])
    }

    @Test func whatADryRunCannotKnowIsNotSaidToSucceed() throws {
        let store = try Self.store(
            note: [Self.link("folder", to: "Folder", inverse: "notes")],
            folder: [Self.link("notes", to: "Note", inverse: "folder", many: true, optional: false, minimum: 1)],
            before: both)
        let plan = try store.plan(by: Self.mapping(), .refuse, isThorough: true)
        #expect(plan.findings.contains { $0.code == "data-not-checked" && $0.subject == "Folder.notes" })
        #expect(plan.verdict == "not known: see what was not checked")
        #expect(try store.plan(by: Self.mapping(), .refuse).findings.allSatisfy { $0.code != "data-not-checked" })
    }
}

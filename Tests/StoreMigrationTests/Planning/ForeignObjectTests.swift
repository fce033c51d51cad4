import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import Testing

/// Triggers, views and indexes that are not Core Data's: made again where they work, named where they do not.
@Suite struct ForeignObjectTests {
    static let placements = TestStore.placements

    static let old = [
        entity("Note", [attribute("text"), attribute("title")]), entity("Tag", [attribute("name")]),
    ]
    /// `title` goes, and `Tag` gets another name.
    static let new = [
        entity("Label", renamedFrom: "Tag", [attribute("name")]),
        entity("Note", [attribute("text"), attribute("date", .date)]),
    ]
    static let rows = """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTITLE) VALUES (1, 1, 1, 'a', 'A'), (2, 1, 1, 'b', 'B');
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'red');
        CREATE TABLE audit (what TEXT);
        """

    private func store(_ objects: String) throws -> TestStore {
        try TestStore(from: Self.old, to: Self.new, rows: Self.rows + objects)
    }

    /// What is left of the objects by name.
    private func objects(of store: TestStore) throws -> [String] {
        try store.rows(
            "SELECT name FROM sqlite_master WHERE type <> 'table' AND name NOT LIKE 'Z%' "
                + "AND name NOT LIKE 'sqlite%' ORDER BY name")
    }

    /// SQLite would create these triggers, and every save of the app would fail.
    @Test(
        arguments: [
            ("CREATE TRIGGER t AFTER INSERT ON ZNOTE BEGIN INSERT INTO audit VALUES (new.ZTITLE); END", "new.ZTITLE"),
            ("CREATE TRIGGER t AFTER UPDATE OF ZTEXT ON ZNOTE BEGIN UPDATE ZTAG SET ZNAME = 'x'; END", "ZTAG"),
            ("CREATE TRIGGER t BEFORE DELETE ON ZNOTE BEGIN SELECT missing(old.Z_PK); END", "missing"),
            ("CREATE TRIGGER t AFTER INSERT ON ZTAG BEGIN SELECT 1; END", "ZTAG"),
            ("CREATE TRIGGER t AFTER INSERT ON audit BEGIN UPDATE ZNOTE SET ZTITLE = 1; END", "ZTITLE"),
            (
                "CREATE VIEW v AS SELECT ZTITLE FROM ZNOTE; "
                    + "CREATE TRIGGER t AFTER INSERT ON ZNOTE BEGIN INSERT INTO audit SELECT count(*) FROM v; END", "v"
            ),
        ], placements)
    func aTriggerThatWouldFailIsLeftOutAndNamed(
        trigger: (sql: String, reason: String), placement: MigrationPlacement
    ) throws {
        let store = try store(trigger.sql)
        let planned = try #require(try store.plan(placement).findings.first { $0.code == "trigger-lost" })
        #expect(planned.severity == .warning)
        #expect(planned.message.contains("trigger t") && planned.message.contains(trigger.reason), "\(planned.message)")
        let report = try store.migrate(placement)
        #expect(report.findings.filter { $0.code == "trigger-lost" } == [planned])
        #expect(try objects(of: store) == [])
        try store.execute(
            """
            INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (9, 2, 'c');
            UPDATE ZNOTE SET ZTEXT = 'd', ZDATE = 1; DELETE FROM ZNOTE WHERE Z_PK = 9; INSERT INTO audit VALUES ('e');
            """)
    }

    @Test(arguments: placements)
    func whatWorksIsMadeAgainAsItWas(placement: MigrationPlacement) throws {
        let statements = [
            "CREATE TRIGGER added AFTER INSERT ON ZNOTE BEGIN INSERT INTO audit VALUES (new.ZTEXT); END",
            "CREATE TRIGGER audited AFTER INSERT ON audit WHEN new.what = \"b\" BEGIN DELETE FROM ZNOTE WHERE Z_PK = 2; END",
            "CREATE TRIGGER into_texts INSTEAD OF INSERT ON texts BEGIN INSERT INTO ZNOTE (ZTEXT) VALUES (new.ZTEXT); END",
            "CREATE TRIGGER named AFTER UPDATE ON Z_PRIMARYKEY BEGIN INSERT INTO audit VALUES (new.Z_NAME); END",
            "CREATE VIEW texts AS SELECT ZTEXT FROM ZNOTE",
            "CREATE INDEX by_text ON ZNOTE (ZTEXT COLLATE NOCASE) WHERE ZTEXT IS NOT NULL",
        ]
        // The view comes before its trigger.
        let store = try store(
            statements.filter { !$0.contains(" ON texts") }.joined(separator: ";") + ";" + statements[2])
        let report = try store.migrate(placement)
        #expect(!report.findings.contains { $0.code.hasSuffix("-lost") })
        #expect(report.findings.first { $0.code == "objects-kept" }?.count == 6)
        #expect(
            Set(try store.rows("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'Z%' AND type <> 'table'"))
                == Set(statements))
        // They did not fire for what the migration did.
        #expect(try store.rows("SELECT count(*) FROM audit") == ["0"])
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE ORDER BY 1") == ["a", "b"])
    }

    @Test(arguments: placements)
    func viewsAndIndexesThatWouldFailAreLeftOutAndNamed(placement: MigrationPlacement) throws {
        let store = try store(
            """
            CREATE VIEW titles AS SELECT ZTITLE FROM ZNOTE;
            CREATE INDEX by_title ON ZNOTE (ZTITLE);
            CREATE INDEX by_name ON ZTAG (ZNAME);
            """)
        let report = try store.migrate(placement)
        let lost = report.findings.filter { $0.code.hasSuffix("-lost") }
        #expect(lost.map(\.code).sorted() == ["index-lost", "index-lost", "view-lost"])
        for name in ["titles", "by_title", "by_name"] {
            #expect(lost.contains { $0.message.contains(" \(name) ") })
        }
        #expect(try objects(of: store) == [])
    }

    /// The plan cannot know that the default makes equal values; the statement is taken back as if it had never run.
    @Test(arguments: placements)
    func aUniqueIndexOverValuesThatBecomeEqualIsLeftOut(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("text")])],
            to: [entity("Note", [attribute("text", optional: false, default: .string("none"))])],
            rows: """
                INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (1, 1, NULL), (2, 1, NULL), (3, 1, 'c');
                CREATE UNIQUE INDEX texts ON ZNOTE (ZTEXT);
                """)
        let report = try store.migrate(placement)
        #expect(report.findings.map(\.code).contains("index-lost"))
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE ORDER BY Z_PK") == ["none", "none", "c"])
        #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try objects(of: store) == [])
    }

    /// Core Data's triggers of later versions call functions that are not known here; they work where they belong.
    @Test(arguments: placements)
    func functionsOfCoreDataAreItsOwnBusiness(placement: MigrationPlacement) throws {
        let store = try store(
            "CREATE TRIGGER t AFTER INSERT ON ZNOTE BEGIN SELECT NSCoreDataSomethingNew(new.ZTEXT, 1); END")
        #expect(!(try store.migrate(placement).findings.contains { $0.code == "trigger-lost" }))
        #expect(try objects(of: store) == ["t"])
    }

    @Test func indexesOfNeitherVersionUnderNamesLikeCoreDatasAreNamed() throws {
        let store = try store("CREATE INDEX ZNOTE_ZTEXT_INDEX ON ZNOTE (ZTEXT)")
        let finding = try #require(try store.migrate().findings.first { $0.code == "indexes-dropped" })
        #expect(finding.message.contains("ZNOTE_ZTEXT_INDEX"))
        #expect(try store.rows("SELECT name FROM sqlite_master WHERE name = 'ZNOTE_ZTEXT_INDEX'") == [])
    }

    /// A scan would show who reads rows that do not change.
    @Test func anIndexOnATableWhoseRowsStayIsNotMadeAnew() throws {
        let store = try TestStore(
            from: [entity("Note", [attribute("text")])],
            to: [entity("Note", [attribute("date", .date), attribute("text")])],
            rows: "CREATE INDEX by_text ON ZNOTE (ZTEXT)")
        let plan = try store.plan(.inPlace(backup: nil))
        #expect(!plan.steps.contains { $0.summary.contains("by_text") })
        try store.migrate(.inPlace(backup: nil))
        #expect(try objects(of: store) == ["by_text"])
    }
}

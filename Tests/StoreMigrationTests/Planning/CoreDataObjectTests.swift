import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// Triggers, R-trees and indexes of Core Data's own that a model does not call for by itself.
@Suite struct CoreDataObjectTests {
    private static let place = entity("Place", [attribute("name"), attribute("latitude", .double)])
    /// Apps trust their schema, as R-trees in triggers need.
    private static let tree = """
        PRAGMA trusted_schema = ON;
        CREATE VIRTUAL TABLE Z_RT_Place_bounds USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, \
        ZLATITUDE_MAX FLOAT);
        CREATE TRIGGER Z_RT_Place_bounds_INSERT AFTER INSERT ON ZPLACE FOR EACH ROW BEGIN INSERT OR REPLACE INTO \
        Z_RT_Place_bounds (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE) ; END;
        CREATE TRIGGER Z_RT_Place_bounds_DELETE AFTER DELETE ON ZPLACE FOR EACH ROW BEGIN DELETE FROM \
        Z_RT_Place_bounds WHERE Z_PK = OLD.Z_PK ; END;
        CREATE TRIGGER ZT_ZPLACE_ZNAME_INSERT AFTER INSERT ON ZPLACE FOR EACH ROW BEGIN UPDATE ZPLACE SET \
        ZNAME = 'new' WHERE Z_PK = NEW.Z_PK; END;
        INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZLATITUDE) VALUES (1, 1, 1, 10), (2, 2, 1, 20);
        """

    private func statements(_ store: TestStore) throws -> [String] {
        try store.rows(
            "SELECT sql FROM sqlite_master WHERE name GLOB 'Z_RT*' OR name GLOB 'ZT_*' ORDER BY name")
    }

    /// Row 2 goes with its entity.
    @Test(arguments: TestStore.placements)
    func treesAndTriggersGoOverWordForWord(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [Self.place, entity("Town", parent: "Place")],
            to: [
                entity("Label"),
                entity("Place", [attribute("name"), attribute("latitude", .double), attribute("more")]),
            ],
            rows: Self.tree)
        let before = try statements(store)
        #expect(before.count == 7)
        #expect(try store.rows("SELECT Z_PK FROM Z_RT_Place_bounds") == ["1", "2"])
        try store.migrate(placement)
        #expect(try statements(store) == before)
        #expect(try store.rows("SELECT Z_PK, ZLATITUDE_MAX FROM Z_RT_Place_bounds") == ["1|10.0"])
        try store.execute(
            "PRAGMA trusted_schema = ON; INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZLATITUDE) VALUES (3, 2, 1, 30)")
        #expect(try store.rows("SELECT ZNAME FROM ZPLACE WHERE Z_PK = 3") == ["new"])
        #expect(try store.rows("SELECT Z_PK FROM Z_RT_Place_bounds") == ["1", "3"])
    }

    @Test(arguments: TestStore.placements)
    func thoseWhoseColumnsGoAreNamed(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [Self.place, entity("Town", parent: "Place")],
            to: [entity("Place"), entity("Town", parent: "Place")],
            rows: Self.tree)
        let findings = try store.plan(placement).findings.filter { $0.code == "trigger-lost" }
        #expect(findings.count == 2)
        #expect(findings.contains { $0.message.contains("Z_RT_Place_bounds_INSERT") })
        #expect(findings.contains { $0.message.contains("ZT_ZPLACE_ZNAME_INSERT") })
        #expect(try store.migrate(placement).findings.filter { $0.code == "trigger-lost" } == findings)
    }

    // MARK: Derived attributes

    private static func derived(_ expression: String, _ more: [AttributeDescription] = []) -> EntityDescription {
        entity("Place", [attribute("name"), attribute("upper", derived: expression)] + more)
    }

    private static let trigger = """
        CREATE TRIGGER Z_DA_ZPLACE_Place_upper_INSERT AFTER INSERT ON ZPLACE FOR EACH ROW BEGIN UPDATE ZPLACE SET \
        ZUPPER = upper(NEW.ZNAME) WHERE Z_PK = NEW.Z_PK; END
        """

    /// How Core Data writes the trigger of such a derivation is not known.
    @Test(arguments: TestStore.placements)
    func theTriggerOfADerivationThatIsNotKnownGoesOver(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [Self.derived("uppercase:(name)")], to: [Self.derived("uppercase:(name)", [attribute("more")])],
            rows: Self.trigger)
        try store.migrate(placement)
        #expect(try store.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'") == [Self.trigger])
    }

    @Test(arguments: TestStore.placements)
    func aTriggerOfAnotherDerivationIsNamed(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [Self.derived("uppercase:(name)")], to: [Self.derived("lowercase:(name)")], rows: Self.trigger)
        let finding = try #require(try store.plan(placement).findings.first { $0.code == "triggers-dropped" })
        #expect(finding.message.contains("Z_DA_ZPLACE_Place_upper_INSERT"))
        try store.migrate(placement)
        #expect(try store.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'") == [])
    }

    /// A derived attribute is another kind of property: the plain one of its name is new.
    @Test(arguments: TestStore.placements)
    func anAttributeThatWasDerivedBeginsAnew(placement: MigrationPlacement) throws {
        func plain(_ more: AttributeDescription) -> [EntityDescription] {
            [entity("Place", [attribute("name"), more])]
        }
        for (upper, expected) in [
            (attribute("upper"), "-"), (attribute("upper", default: .string("d")), "d"),
            (attribute("upper", .integer64), "-"),
        ] {
            let store = try TestStore(
                from: [Self.derived("uppercase:(name)")], to: plain(upper),
                rows: "INSERT INTO ZPLACE (Z_PK, Z_ENT, ZNAME, ZUPPER) VALUES (1, 1, 'a', 'A');")
            let dropped = try store.plan(placement, isThorough: true).findings.first { $0.code == "values-dropped" }
            #expect(dropped?.message.contains("upper") == true && dropped?.count == 1)
            try store.migrate(placement)
            #expect(try store.rows("SELECT ZNAME || ifnull(ZUPPER, '-') FROM ZPLACE") == ["a" + expected])
        }
        let store = try TestStore(
            from: [Self.derived("uppercase:(name)")], to: plain(attribute("upper", optional: false)),
            rows: "INSERT INTO ZPLACE (Z_PK, Z_ENT, ZNAME, ZUPPER) VALUES (1, 1, 'a', 'A');")
        let refusal = try store.plan(placement).findings.first { $0.severity == .error }
        #expect(refusal?.code == "missing-required-value" && refusal?.cocoaCode == 134110)
    }

    // MARK: Indexes

    /// An in-place migration by Core Data leaves the old numbers in the names of indexes.
    @Test(arguments: TestStore.placements)
    func indexesHaveTheNamesOfANewStore(placement: MigrationPlacement) throws {
        func related(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
            RelationshipDescription(
                name: name, destinationEntityName: destination, inverseName: inverse, isToMany: true)
        }
        let pair = [
            EntityDescription(name: "Note", attributes: [], relationships: [related("tags", "Tag", "notes")]),
            EntityDescription(name: "Tag", attributes: [], relationships: [related("notes", "Note", "tags")]),
        ]
        let store = try TestStore(
            from: pair, to: pair + [entity("Label")],
            rows: "DROP INDEX Z_1TAGS_Z_2TAGS_INDEX; CREATE INDEX Z_9TAGS_Z_8TAGS_INDEX ON Z_1TAGS (Z_2TAGS, Z_1NOTES)")
        try store.migrate(placement)
        #expect(
            try store.rows("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL") == [
                "CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2NOTES)"
            ])
    }

    @Test(arguments: [("none", "0"), ("full", "1"), ("incremental", "2")])
    func aNewFileKeepsItsAutoVacuum(_ mode: String, _ value: String) throws {
        let store = try TestStore(
            from: [Self.place, entity("Town")], to: [Self.place],
            rows: "INSERT INTO ZTOWN (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)")
        try store.execute("PRAGMA auto_vacuum = \(mode); VACUUM")
        #expect(try store.plan().method == .newFile)
        try store.migrate()
        #expect(try store.rows("PRAGMA auto_vacuum") == [value])
    }
}

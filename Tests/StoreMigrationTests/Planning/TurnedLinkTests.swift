import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// A new relationship takes its links from its inverse, if that was there before.
@Suite struct TurnedLinkTests {
    static let placements = TestStore.placements

    /// Keys of one table must never be taken for keys of another.
    @Test(arguments: placements)
    func aRelationshipThatLeadsElsewhereNowBringsNothing(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [
                entity("Author", [], [relationship("work", to: "Book", inverse: "author")]),
                entity("Book", [], [relationship("author", to: "Author", inverse: "work")]), entity("Song"),
            ],
            to: [
                entity("Author", [], [relationship("work", to: "Song", inverse: "author")]),
                entity("Song", [], [relationship("author", to: "Author", inverse: "work")]),
            ],
            rows: """
                INSERT INTO ZAUTHOR (Z_PK, Z_ENT, ZWORK) VALUES (1, 1, 5);
                INSERT INTO ZBOOK (Z_PK, Z_ENT, ZAUTHOR) VALUES (5, 2, 1);
                INSERT INTO ZSONG (Z_PK, Z_ENT) VALUES (5, 3);
                """)
        try store.migrate(placement)
        #expect(try store.rows("SELECT ZAUTHOR FROM ZSONG") == [""])
        #expect(try store.rows("SELECT ZWORK FROM ZAUTHOR") == [""])
    }

    @Test(arguments: placements)
    func ownersThatAreGoneAreNotLookedUp(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [
                entity("Box", [], [relationship("items", to: "Item", many: true)]), entity("Crate", parent: "Box"),
                entity("Item"),
            ],
            to: [
                entity("Box", [], [relationship("items", to: "Item", inverse: "box", many: true)]),
                entity("Item", [], [relationship("box", to: "Box", inverse: "items")]),
            ],
            rows: """
                INSERT INTO ZBOX (Z_PK, Z_ENT) VALUES (1, 2), (2, 1);
                INSERT INTO ZITEM (Z_PK, Z_ENT, Z1ITEMS, Z1_1ITEMS) VALUES (1, 3, 1, 2), (2, 3, 2, 1), (3, 3, NULL, NULL);
                """)
        try store.migrate(placement)
        #expect(try store.rows("SELECT Z_PK, ZBOX FROM ZITEM ORDER BY 1") == ["1|", "2|2", "3|"])
    }

    @Test(arguments: placements)
    func severalOwnersAreRefusedUnlessOnlyOneStays(placement: MigrationPlacement) throws {
        let old = [
            entity("Box", [], [relationship("item", to: "Item")]), entity("Crate", parent: "Box"), entity("Item"),
        ]
        let new = [
            entity("Box", [], [relationship("item", to: "Item", inverse: "box")]),
            entity("Item", [], [relationship("box", to: "Box", inverse: "item")]),
        ]
        let items = "INSERT INTO ZITEM (Z_PK, Z_ENT) VALUES (7, 3);"
        let refused = try TestStore(
            from: old, to: new, rows: items + "INSERT INTO ZBOX (Z_PK, Z_ENT, ZITEM) VALUES (1, 1, 7), (2, 1, 7)")
        let finding = try #require(try refused.plan(placement).findings.first)
        #expect(finding.code == "several-sources")
        #expect(finding.count == 1)
        #expect(finding.examples == ["x-coredata://\(TestStore.uuid)/Item/p7"])
        let fine = try TestStore(
            from: old, to: new, rows: items + "INSERT INTO ZBOX (Z_PK, Z_ENT, ZITEM) VALUES (1, 2, 7), (2, 1, 7)")
        try fine.migrate(placement)
        #expect(try fine.rows("SELECT ZBOX FROM ZITEM") == ["2"])
    }

    @Test(arguments: placements)
    func theRelationshipsOfAllHeirsAreTurned(placement: MigrationPlacement) throws {
        let store = try TestStore(
            from: [
                entity("Pet"), entity("Cat", parent: "Pet", [], [relationship("owner", to: "Person")]),
                entity("Dog", parent: "Pet", [], [relationship("owner", to: "Person")]), entity("Person"),
            ],
            to: [
                entity("Pet", [], [relationship("owner", to: "Person", inverse: "pet")]), entity("Cat", parent: "Pet"),
                entity("Dog", parent: "Pet"),
                entity("Person", [], [relationship("pet", to: "Pet", inverse: "owner")]),
            ],
            rows: """
                INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 1), (2, 1), (3, 1);
                INSERT INTO ZPET (Z_PK, Z_ENT, ZOWNER, ZOWNER1) VALUES (10, 3, 1, NULL), (11, 4, NULL, 2);
                """)
        try store.migrate(placement)
        let numbers = store.destination.model
        let cat = numbers.entity(named: "Cat")?.number ?? 0
        let dog = numbers.entity(named: "Dog")?.number ?? 0
        let column = try store.rows(
            "SELECT name FROM pragma_table_info('ZPERSON') WHERE name LIKE 'Z%\\_PET' ESCAPE '\\'")
        #expect(
            try store.rows("SELECT Z_PK, ZPET, \(column[0]) FROM ZPERSON ORDER BY 1")
                == ["1|10|\(cat)", "2|11|\(dog)", "3||"])
    }
}

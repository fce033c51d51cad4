import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// A new uniqueness constraint is refused where the rows will have equal values, and only there.
@Suite struct UniquenessCheckTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: [EntityDescription]
        let new: [EntityDescription]
        /// Rows that fit, and rows that do not.
        let good: String
        let bad: String
        let count: Int64
    }

    static let cases = [
        Case(
            testDescription: "a constraint of the same entity",
            old: [entity("Person", [attribute("name")])],
            new: [entity("Person", unique: [["name"]], [attribute("name")])],
            good: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, NULL), (3, 1, NULL)",
            bad: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 1, 'a'), (4, 1, 'a')",
            count: 3),
        Case(
            testDescription: "a constraint of a new parent, to which the attribute moved",
            old: [entity("Person", [attribute("name")])],
            new: [
                entity("Being", abstract: true, unique: [["name"]], [attribute("name")]),
                entity("Person", parent: "Being"),
            ],
            good: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, 'b')",
            bad: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, 'a')",
            count: 2),
        Case(
            testDescription: "a constraint of the parent over columns of two subentities",
            old: [
                entity("Being"), entity("Cat", parent: "Being", [attribute("name")]),
                entity("Dog", parent: "Being", [attribute("name")]),
            ],
            new: [
                entity("Being", unique: [["name"]], [attribute("name")]), entity("Cat", parent: "Being"),
                entity("Dog", parent: "Being"),
            ],
            good: """
                INSERT INTO ZBEING (Z_PK, Z_ENT, ZNAME, ZNAME1) VALUES (1, 2, 'a', NULL), (2, 3, NULL, 'b'), (3, 1, NULL, NULL)
                """,
            bad: "INSERT INTO ZBEING (Z_PK, Z_ENT, ZNAME, ZNAME1) VALUES (1, 2, 'a', NULL), (2, 3, NULL, 'a')",
            count: 2),
        Case(
            testDescription: "a default that takes the place of missing values",
            old: [entity("Person", unique: [["name"]], [attribute("name")])],
            new: [entity("Person", unique: [["name"]], [attribute("name", optional: false, default: .string("x"))])],
            good: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, NULL)",
            bad: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'x'), (2, 1, NULL), (3, 1, NULL)",
            count: 3),
        Case(
            testDescription: "a new attribute with a default",
            old: [entity("Person", [attribute("name")])],
            new: [entity("Person", unique: [["code"]], [attribute("name"), attribute("code", default: .string("x"))])],
            good: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a')",
            bad: "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a'), (2, 1, 'b')",
            count: 2),
        Case(
            testDescription: "a constraint over an attribute and a relationship",
            old: [entity("Page", [attribute("number")], [relationship("book", to: "Page")])],
            new: [
                entity("Page", unique: [["book", "number"]], [attribute("number")], [relationship("book", to: "Page")])
            ],
            good:
                "INSERT INTO ZPAGE (Z_PK, Z_ENT, ZBOOK, ZNUMBER) VALUES (1, 1, 1, 'a'), (2, 1, 2, 'a'), (3, 1, NULL, 'a')",
            bad:
                "INSERT INTO ZPAGE (Z_PK, Z_ENT, ZBOOK, ZNUMBER) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'a'), (3, 1, 2, 'a')",
            count: 2),
    ]

    @Test(arguments: cases)
    func equalValuesAreRefusedWithTheirCount(_ example: Case) throws {
        let store = try TestStore(from: example.old, to: example.new, rows: example.bad)
        let plan = try store.plan()
        let finding = try #require(plan.findings.first { $0.code == "uniqueness-violated" })
        #expect(plan.isRefused)
        #expect(finding.cocoaCode == 134111)
        #expect(finding.count == example.count)
        #expect(finding.examples.first?.hasPrefix("x-coredata://\(TestStore.uuid)/") ?? false)
    }

    @Test(arguments: cases, TestStore.placements)
    func distinctValuesGoOver(_ example: Case, placement: MigrationPlacement) throws {
        let store = try TestStore(from: example.old, to: example.new, rows: example.good)
        try store.migrate(placement)
        #expect(try store.rows("SELECT count(*) FROM sqlite_master WHERE sql LIKE 'CREATE UNIQUE INDEX%'") == ["1"])
    }

    /// The index is on the table, so that rows of a sibling would meet the default, too.
    @Test(arguments: TestStore.placements)
    func aUniqueDefaultStaysOutOfTheRowsOfSiblings(placement: MigrationPlacement) throws {
        let old = [entity("Being"), entity("Cat", parent: "Being"), entity("Dog", parent: "Being")]
        var new = old
        new[1] = entity("Cat", parent: "Being", unique: [["code"]], [attribute("code", default: .string("x"))])
        let store = try TestStore(
            from: old, to: new, rows: "INSERT INTO ZBEING (Z_PK, Z_ENT) VALUES (1, 2), (2, 3), (3, 3), (4, 1)")
        try store.migrate(placement)
        #expect(try store.rows("SELECT Z_PK, ZCODE FROM ZBEING ORDER BY 1") == ["1|x", "2|", "3|", "4|"])
    }

    @Test func examplesNameTheEntityOfTheRow() throws {
        let example = Self.cases[2]
        let store = try TestStore(
            from: example.old, to: example.new,
            rows: "INSERT INTO ZBEING (Z_PK, Z_ENT, ZNAME1) VALUES (7, 3, 'a'), (8, 3, 'a')")
        let finding = try #require(try store.plan().findings.first)
        #expect(finding.examples == ["x-coredata://\(TestStore.uuid)/Dog/p7"])
    }
}

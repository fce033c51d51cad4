import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Names that break careless SQL or careless XML: the result is right, or the migration is refused.
@Suite(.enabled(if: StoreChecker.isPresent, "the checker of stores is not on this machine"))
struct HostileNameTests {
    static let names = [
        "it's", "say \"hi\"", "back`tick", "[bracket]", "semi;colon", "-- comment", "/* comment */", "per%cent", "?1",
        ":name",
        "select", "table", "order", "group", "index", "where", "null", "rowid", "values", "default",
        "with space", " leading", "tab\there", "dot.ted", "a.b.c", "\\", "/", "&amp;", "<tag>",
        "größe", "straße", "ŉ", "ıI", "日本語", "عربي", "Ω", "🦊", "👩‍👩‍👧", "e\u{301}", "\u{202E}abc", "Ⅷ", "ﬁ",
        "pk", "ent", "opt", "_pk", "_ent", "_opt", "_fok_x", "1_x", "9", "metadata", "primarykey", "modelcache",
        "sqlite_master", "ferry_old_1", "reflexive", "z", "Z",
        String(repeating: "long", count: 250),
    ]

    /// Each placement in turn; the tests begin with different ones.
    private static func placements(from first: Int) -> [Placement] {
        names.indices.map { Placement.allCases[($0 + first) % Placement.allCases.count] }
    }

    /// As attribute and relationship, in both versions, with rows and links; its entity has subentities.
    @Test(.long, arguments: zip(names, placements(from: 0)))
    func ofPropertiesAreRightOrRefused(name: String, placement: Placement) throws {
        let relationshipName = name + "R"
        func model(_ more: [AttributeDescription]) -> [EntityDescription] {
            [
                entity(
                    "Owner", [attribute(name), attribute("x", .integer32)] + more,
                    [relationship(relationshipName, to: "Part", inverse: "owner", many: true)]),
                entity("Part", [attribute("y")], [relationship("owner", to: "Owner", inverse: relationshipName)]),
                entity("Special", parent: "Part"),
            ]
        }
        let destination = model([attribute("new", .integer16, optional: false, default: .integer(1))])
        try expectRightOrRefused(model([]), destination, placement, isPlain: Self.isPlain(name))
    }

    /// As the new name of an attribute, and of a many-to-many relationship.
    @Test(.long, arguments: zip(names, placements(from: 1)))
    func ofRenamedPropertiesAreRightOrRefused(name: String, placement: Placement) throws {
        func model(_ name: String, _ former: String?) -> [EntityDescription] {
            [
                entity(
                    "A", [attribute(name, default: .string("d'x\"y"), renamedFrom: former)],
                    [relationship("b" + name, to: "B", inverse: "a", many: true, renamedFrom: former.map { "b" + $0 })]),
                entity("B", [attribute("y")], [relationship("a", to: "A", inverse: "b" + name, many: true)]),
            ]
        }
        try expectRightOrRefused(
            model("plain", nil), model(name, "plain"), placement, isPlain: Self.isPlain(name))
    }

    /// As an entity with an index and a constraint, and as the new name of one.
    @Test(.long, arguments: zip(names, placements(from: 2)))
    func ofEntitiesAreRightOrRefused(name: String, placement: Placement) throws {
        func model(_ second: String, _ former: String?) -> [EntityDescription] {
            [
                entity(
                    name, unique: [["code"]], [attribute("code"), attribute("x", .date)],
                    [relationship("other", to: second, inverse: "back")]),
                entity(
                    second, renamedFrom: former, [attribute("y")],
                    [relationship("back", to: name, inverse: "other", many: true, ordered: true)]),
            ]
        }
        try expectRightOrRefused(
            model("Second", nil), model(name + "2", "Second"), placement, isPlain: Self.isPlain(name))
    }

    /// Names that are Core Data's own columns or tables in upper case may be refused; the others must work.
    private static func isPlain(_ name: String) -> Bool {
        !name.hasPrefix("_") && !name.hasPrefix("1_") && name != "ferry_old_1" && !name.contains(".")
    }

    private func expectRightOrRefused(
        _ source: [EntityDescription], _ destination: [EntityDescription], _ placement: Placement, isPlain: Bool
    ) throws {
        let change: ModelChange
        do {
            change = try ModelChange(source, destination, upTo: 8)
        } catch is SQLiteError where !isPlain {
            // No store can have it.
            return
        }
        let before = try FolderState(of: change.folder.directory.file("original"))
        let (run, result) = try change.migrate(placement)
        #expect(run.signal == nil && run.status <= 2, "\(run.summary)")
        if run.status < 2 {
            let check = change.check(result)
            #expect(try check.faults() + check.leftovers() == [], "\(placement): \(run.summary)")
        } else {
            #expect(!isPlain, "\(run.summary)")
            let state = try FolderState(of: change.folder.directory.file(placement.rawValue))
            #expect(state.byteDifferences(from: before) == [])
        }
    }

    @Test(arguments: [["name", "Name"], ["straße", "STRASSE"], ["ıx", "Ix"]], Placement.allCases)
    func attributesThatDifferInCaseOnlyHaveColumnsOfTheirOwn(names: [String], placement: Placement) throws {
        let attributes = names.map { attribute($0) }
        let change = try ModelChange(
            [entity("A", attributes)], [entity("A", attributes + [attribute("more", .integer32)])], upTo: 20)
        let (run, result) = try change.migrate(placement)
        #expect(run.status < 2, "\(run.summary)")
        #expect(try change.check(result).faults() == [])
    }

    /// Two root entities would share a table.
    @Test(arguments: ["straße", "item"], Placement.allCases)
    func entitiesThatDifferInCaseOnlyAreRefused(name: String, placement: Placement) throws {
        let change = try ModelChange(
            [entity(name, [attribute("x")])],
            [entity(name, [attribute("x")]), entity(name.uppercased(), [attribute("x")])])
        let (run, _) = try change.migrate(placement)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains(name.uppercased()), "\(run.errors)")
        let state = try FolderState(of: change.folder.directory.file(placement.rawValue))
        #expect(state.byteDifferences(from: try FolderState(of: change.folder.directory.file("original"))) == [])
    }

    /// A table of somebody else has the name that a new entity's table would have.
    @Test(arguments: Placement.allCases)
    func aTableInTheWayIsNotTouched(_ placement: Placement) throws {
        var writer = StoreWriter()
        writer.additions = ["CREATE TABLE ZNEW (precious); INSERT INTO ZNEW VALUES (1)"]
        let change = try ModelChange(
            [entity("A", [attribute("x")])], [entity("A", [attribute("x")]), entity("New", [attribute("y")])],
            writer: writer)
        let (run, _) = try change.migrate(placement)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains("ZNEW"))
    }

    // MARK: - Many attributes

    @Test(.long, arguments: Placement.allCases)
    func asManyAttributesAsSQLiteHasColumnsFor(_ placement: Placement) throws {
        let many = (1...1900).map { attribute("attribute\($0)", $0 % 2 == 0 ? .string : .integer32) }
        let change = try ModelChange(
            [entity("A", [attribute("x")])],
            [entity("A", many + [attribute("x", optional: false, default: .string("d"))])], upTo: 5)
        let (run, result) = try change.migrate(placement)
        #expect(run.status == 0, "\(run.summary)")
        #expect(try change.check(result).faults() == [])
    }

    @Test(.long, arguments: Placement.allCases)
    func moreAttributesAreRefused(_ placement: Placement) throws {
        let many = (1...10_000).map { attribute("attribute\($0)") }
        let change = try ModelChange(
            [entity("Wide", [attribute("x")])], [entity("Wide", many + [attribute("x")])], upTo: 5)
        let (run, _) = try change.migrate(placement)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains("Wide") && run.errors.contains("10004 columns"), "\(run.errors)")
        let state = try FolderState(of: change.folder.directory.file(placement.rawValue))
        #expect(state.byteDifferences(from: try FolderState(of: change.folder.directory.file("original"))) == [])
    }
}

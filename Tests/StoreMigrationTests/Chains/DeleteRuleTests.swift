import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreEditing
import StoreMigration
import TestSupport
import Testing

/// Stages delete as a save does: rules reach the relationships of the deleted objects, and nothing else.
@Suite struct DeleteRuleTests {
    /// A is deleted; B is what its relationship leads to.
    enum Kind: String, CaseIterable, Sendable {
        case oneToOne, oneToMany, manyToMany
    }

    private static func models(
        _ kind: Kind, _ rule: DeleteRule, isRequired: Bool = false
    ) -> (old: [EntityDescription], new: [EntityDescription]) {
        let isToMany = kind != .oneToOne
        let owner = RelationshipDescription(
            name: "b", destinationEntityName: "B", inverseName: "a", isToMany: isToMany, deleteRule: rule)
        let inverse = RelationshipDescription(
            name: "a", destinationEntityName: "A", inverseName: "b", isToMany: kind == .manyToMany,
            isOptional: !isRequired)
        func entities(_ attributes: [AttributeDescription]) -> [EntityDescription] {
            [
                EntityDescription(name: "A", attributes: attributes, relationships: [owner]),
                EntityDescription(name: "B", attributes: [], relationships: [inverse]),
            ]
        }
        return (entities([attribute("n")]), entities([attribute("n"), attribute("more")]))
    }

    /// A1 has B1 and, where it may have several, B2; A2 has B3, and in a many-to-many B2 too.
    private static func rows(_ kind: Kind) -> String {
        let objects = """
            INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y');
            INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
            """
        switch kind {
        case .oneToOne:
            return objects + "UPDATE ZA SET ZB = CASE Z_PK WHEN 1 THEN 1 ELSE 3 END;"
                + "UPDATE ZB SET ZA = CASE Z_PK WHEN 1 THEN 1 WHEN 3 THEN 2 END;"
        case .oneToMany: return objects + "UPDATE ZB SET ZA = CASE Z_PK WHEN 3 THEN 2 ELSE 1 END;"
        case .manyToMany: return objects + "INSERT INTO Z_1B (Z_1A, Z_2B) VALUES (1, 1), (1, 2), (2, 2), (2, 3);"
        }
    }

    private func migrated(
        _ kind: Kind, _ rule: DeleteRule, isRequired: Bool = false, links: LinkRemoval = .byDeleteRules
    ) throws -> (store: TestStore, report: ChainReport) {
        let models = Self.models(kind, rule, isRequired: isRequired)
        let store = try TestStore(from: models.old, to: models.new, rows: Self.rows(kind))
        return (store, try run(store, .delete("A", where: "n == 'x'", links: links)))
    }

    private func run(_ store: TestStore, _ edit: StoreEdit, _ invalid: InvalidObjectPolicy = .refuse) throws
        -> ChainReport
    {
        let bundle = store.directory.file("App.xcdatamodeld")
        try GeneratedModels.write(
            [("old", store.source.model.model), ("new", store.destination.model.model)], to: bundle)
        let catalog = try VersionCatalog(paths: [bundle])
        let chain = try StagedMigration([.custom(from: "old", to: "new", willMigrate: [edit])]).chain(
            from: catalog.versionedModel(catalog.version(named: "old")),
            to: catalog.versionedModel(catalog.version(named: "new")), in: catalog)
        var options = MigrationPlanner.Options(placement: .replace(backup: nil))
        options.invalidObjects = invalid
        let plan = try ChainPlanner(store: SQLiteStore(path: store.path), chain: chain, options: options).plan()
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        return try MigrationManager().execute(plan, unchangedSince: fingerprint)
    }

    /// Each B with its A's, as one row a pair.
    private func links(_ kind: Kind, _ store: TestStore) throws -> [String] {
        kind == .manyToMany
            ? try store.rows("SELECT Z_2B, Z_1A FROM Z_1B ORDER BY 1, 2")
            : try store.rows("SELECT Z_PK, ZA FROM ZB ORDER BY 1")
    }

    @Test(arguments: [
        (Kind.oneToOne, ["1|", "2|", "3|2"]), (.oneToMany, ["1|", "2|", "3|2"]), (.manyToMany, ["2|2", "3|2"]),
    ])
    func nullifyTakesTheInverseAway(kind: Kind, expected: [String]) throws {
        let (store, report) = try migrated(kind, .nullify)
        #expect(try links(kind, store) == expected)
        #expect(try store.rows("SELECT Z_PK FROM ZA") == ["2"])
        #expect(!report.findings.contains { $0.code == "links-left" })
    }

    @Test(arguments: [
        (Kind.oneToOne, ["1|1", "2|", "3|2"], 1), (.oneToMany, ["1|1", "2|1", "3|2"], 2),
        (.manyToMany, ["1|1", "2|1", "2|2", "3|2"], 2),
    ])
    func noActionTouchesNothing(kind: Kind, expected: [String], left: Int) throws {
        let (store, report) = try migrated(kind, .noAction)
        #expect(try links(kind, store) == expected)
        #expect(try store.rows("SELECT Z_PK FROM ZA") == ["2"])
        let found = report.findings.filter { $0.code == "links-left" }
        #expect(found.map(\.count) == [Int64(left)] && found.map(\.subject) == ["B.a"])
    }

    @Test(arguments: [
        (Kind.oneToOne, ["1|", "2|", "3|2"]), (.oneToMany, ["1|", "2|", "3|2"]), (.manyToMany, ["2|2", "3|2"]),
    ])
    func unlinkingLeavesNothingThatLeadsToThem(kind: Kind, expected: [String]) throws {
        let (store, report) = try migrated(kind, .noAction, links: .all)
        #expect(try links(kind, store) == expected)
        #expect(!report.findings.contains { $0.code == "links-left" })
    }

    @Test(arguments: [
        (Kind.oneToOne, ["2|", "3|2"]), (.oneToMany, ["3|2"]), (.manyToMany, ["3|2"]),
    ])
    func cascadeTakesDestinationsAlong(kind: Kind, expected: [String]) throws {
        let (store, _) = try migrated(kind, .cascade)
        #expect(try links(kind, store) == expected)
    }

    @Test(arguments: Kind.allCases)
    func denyRefuses(kind: Kind) throws {
        let error = #expect(throws: EditError.self) { _ = try migrated(kind, .deny) }
        #expect(error?.reason.contains("1600") == true)
    }

    /// No relationship of the deleted object leads there: the reference dangles.
    @Test func aRelationshipWithoutInverseIsNotReached() throws {
        func entities(_ attributes: [AttributeDescription]) -> [EntityDescription] {
            [entity("A", attributes), entity("B", [], [relationship("a", to: "A")])]
        }
        let store = try TestStore(
            from: entities([attribute("n")]), to: entities([attribute("n"), attribute("more")]),
            rows: Self.rows(.oneToMany))
        let report = try run(store, .delete("A", where: "n == 'x'"))
        #expect(try links(.oneToMany, store) == ["1|1", "2|1", "3|2"])
        #expect(report.findings.contains { $0.code == "links-left" && $0.count == 2 })
    }

    /// What a rule sets to NULL is validated, as in a save.
    @Test func nullifyingARequiredInverseIsRefused() throws {
        let error = #expect(throws: MigrationError.self) {
            _ = try migrated(.oneToMany, .nullify, isRequired: true)
        }
        #expect(error?.cocoaCode == 1570)
        guard case .invalid(let findings) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(findings.map(\.subject) == ["B.a"] && findings.map(\.count) == [2])
    }

    @Test func theKeyUnlinkOfAFileRemovesAllLinks() throws {
        let directory = try TemporaryDirectory()
        func edit(_ more: String) throws -> [String] {
            let text = """
                stages: 1
                migration:
                  - {from: old, to: new, will: [{delete: A\(more)}]}
                """
            let path = try directory.write(text, to: "stages.yaml")
            let models = Self.models(.oneToMany, .noAction)
            let store = try TestStore(from: models.old, to: models.new)
            let bundle = store.directory.file("App.xcdatamodeld")
            try GeneratedModels.write(
                [("old", store.source.model.model), ("new", store.destination.model.model)], to: bundle)
            let catalog = try VersionCatalog(paths: [bundle])
            return try StagedMigrationDocument.read(path: path).chain(
                from: catalog.versionedModel(catalog.version(named: "old")),
                to: catalog.versionedModel(catalog.version(named: "new")), in: catalog
            ).steps.flatMap { $0.before.map(\.text) }
        }
        #expect(try edit("") == ["delete A"])
        #expect(try edit(", unlink: false") == ["delete A"])
        #expect(try edit(", unlink: true") == ["delete A, unlink"])
    }

    // MARK: - Updates

    /// A stage that sets a value is held to the rules; a value that was there before is only counted.
    @Test func anUpdateIsValidated() throws {
        var age = attribute("n", .integer16)
        age.validation.maximum = .integer(65)
        func store() throws -> TestStore {
            try TestStore(
                from: [entity("A", [age])], to: [entity("A", [age, attribute("more")])],
                rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 99), (2, 1, 1, 10), (3, 1, 1, 11);")
        }
        let edit = StoreEdit.update("A", where: "n == 10", set: [("n", "n + 60")])
        let refused = try store()
        let error = #expect(throws: MigrationError.self) { _ = try run(refused, edit) }
        guard case .invalid(let findings) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(findings.map(\.code) == ["invalid-object", "invalid-object-copied"])
        #expect(findings.map(\.count) == [1, 1] && findings.first?.values == ["70"])
        #expect(try refused.rows("SELECT ZN FROM ZA ORDER BY Z_PK") == ["99", "10", "11"])
        let reported = try store()
        let report = try run(reported, edit, .report)
        #expect(report.findings.contains { $0.code == "invalid-object" && $0.severity == .warning })
        #expect(try reported.rows("SELECT ZN FROM ZA ORDER BY Z_PK") == ["99", "70", "11"])
    }
}

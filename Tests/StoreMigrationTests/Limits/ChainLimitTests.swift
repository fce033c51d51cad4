import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import Synchronization
import TestSupport
import Testing

@testable import StoreMigration

/// Stages with edits, a step by two passes and an inferred one: what they do depends on none of the sizes of batches,
/// caches and windows, nor on where the chain was resumed. A plain model says what has to come out.
@Suite struct ChainLimitTests {
    private struct Person {
        var key: Int
        var name: String
        var level: Int?
    }

    private static let first = ManagedObjectModel(entities: [
        entity("Person", [attribute("level", .integer64), attribute("name")])
    ])
    private static let second = ManagedObjectModel(entities: [
        entity(
            "Grade", [attribute("name", optional: false)],
            [relationship("people", to: "Person", inverse: "grade", many: true)]),
        entity("Person", [attribute("title")], [relationship("grade", to: "Grade", inverse: "people")]),
    ])
    private static let third = ManagedObjectModel(entities: [
        entity(
            "Grade", [attribute("name", optional: false), attribute("rank", .integer64)],
            [relationship("people", to: "Person", inverse: "grade", many: true)]),
        entity(
            "Person", [attribute("note"), attribute("title")], [relationship("grade", to: "Grade", inverse: "people")]),
    ])

    /// The grades, then the people: two mapping models of one step.
    private static func passes() throws -> MappingModelDocument {
        let texts = [
            """
            mapping: 1
            entities:
              - name: Grades
                source: Person
                destination: Grade
                filter: level != NULL
                key: name
                attributes: {name: '"g" + CAST($source.level, "NSString")'}
            """,
            """
            mapping: 1
            entities:
              - name: People
                source: Person
                destination: Person
                attributes: {title: 'uppercase:($source.name)'}
                relationships:
                  grade: 'FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Grades", $source)'
            """,
        ]
        let documents = try texts.enumerated().map { number, text in
            try MappingModelFile.read(bytes: Array(text.utf8), name: "pass-\(number).yaml")
        }
        return try #require(try MappingModelDocument.passes(documents))
    }

    /// Before the step, people of level 9 get another name, and those of level 3 go; behind it, what has no grade goes.
    private static func stages() throws -> StagedMigration {
        StagedMigration([
            .custom(
                from: "1", to: "2", mapping: try passes(),
                willMigrate: [
                    .update("Person", where: "level == 9", set: [("name", "\"nine\"")]),
                    .delete("Person", where: "level == 3"),
                ],
                didMigrate: [.delete("Person", where: "grade == NULL")]),
            .lightweight(["2", "3"]),
        ])
    }

    private static func expected(_ people: [Person]) -> (people: [String], grades: [String]) {
        let kept = people.filter { $0.level != nil && $0.level != 3 }
        return (
            kept.map { "\(($0.level == 9 ? "nine" : $0.name).uppercased())|g\($0.level ?? 0)|" }.sorted(),
            Set(kept.map { "g\($0.level ?? 0)|" }).sorted()
        )
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(24))
    func stagesAndPassesGiveTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(size, seed)
    }

    @Test(arguments: RandomNumbers.seeds(80))
    func stagesAndPassesGiveTheSameWithLimitsOfSeveralSizes(seed: Int) throws {
        try check(nil, seed)
    }

    private func check(_ size: Int?, _ seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(4000 + seed * 10 + (size ?? 0)))
        let people = (1...Int.random(in: 1...60, using: &random)).map { key in
            Person(
                key: key * Int.random(in: 1...2, using: &random) * 1000 + key, name: "p\(key)",
                level: Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil)
        }
        let rows = people.map { "(\($0.key), 1, 1, \($0.level.map(String.init) ?? "NULL"), '\($0.name)')" }
        let store = try TestStore(
            from: Self.first.entities, to: Self.third.entities,
            rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZLEVEL, ZNAME) VALUES \(rows.joined(separator: ", "));")
        let bundle = store.directory.file("App.xcdatamodeld")
        try GeneratedModels.write([("1", Self.first), ("2", Self.second), ("3", Self.third)], to: bundle)
        let catalog = try VersionCatalog(paths: [bundle])
        let chain = try Self.stages().chain(
            from: catalog.versionedModel(catalog.version(named: "1")),
            to: catalog.versionedModel(catalog.version(named: "3")), in: catalog)
        var options = MigrationOptions.limited(size, &random)
        options.resumes = Bool.random(using: &random)
        let plan = try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: chain, options: .init(placement: .replace(backup: nil))
        ).plan()
        // Some runs end in the middle, and the next one goes on there.
        if options.resumes {
            let questions = Mutex(Int.random(in: 1...20, using: &random))
            options.isCancelled = {
                questions.withLock {
                    $0 -= 1
                    return $0 < 0
                }
            }
            _ = try? execute(plan, store, options)
            options.isCancelled = nil
        }
        let isDone = try SQLiteStore(path: store.path).metadata.versionHashes["Grade"] != nil
        if !isDone { _ = try execute(plan, store, options) }
        let expected = Self.expected(people)
        let context: Comment = "size \(size ?? 0), seed \(seed): \(options)"
        #expect(
            try store.rows(
                "SELECT p.ZTITLE, g.ZNAME, p.ZNOTE FROM ZPERSON p JOIN ZGRADE g ON g.Z_PK = p.ZGRADE"
            )
            .sorted() == expected.people, context)
        #expect(try store.rows("SELECT count(*) FROM ZPERSON") == ["\(expected.people.count)"], context)
        // Grades whose people all went stay.
        #expect(try store.rows("SELECT ZNAME, ZRANK FROM ZGRADE ORDER BY 1") == expected.grades, context)
        #expect(try store.rows("PRAGMA integrity_check") == ["ok"], context)
    }

    private func execute(_ plan: ChainPlan, _ store: TestStore, _ options: MigrationOptions) throws -> ChainReport {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        return try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
    }
}

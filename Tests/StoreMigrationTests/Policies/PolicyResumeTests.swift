import Foundation
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import Synchronization
import TestSupport
import Testing

@testable import StoreMigration

/// A step with a policy that ends in the middle goes on there: what was committed is done once, and the end is that of
/// a run that nobody interrupted.
@Suite struct PolicyResumeTests {
    private static let first = ManagedObjectModel(entities: [
        entity("Person", [attribute("level", .integer64), attribute("name")])
    ])
    private static let second = ManagedObjectModel(entities: [
        entity(
            "Grade", [attribute("name", optional: false)],
            [relationship("people", to: "Person", inverse: "grade", many: true)]),
        entity("Person", [attribute("title")], [relationship("grade", to: "Grade", inverse: "people")]),
    ])

    /// Who was asked for, by the path of the store: tests run at the same time.
    private static let asked = Mutex<[String: [Int64]]>([:])

    class GradePolicy: EntityMigrationPolicy {
        override class var isResumable: Bool { true }

        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            PolicyResumeTests.asked.withLock { $0[context.storePath, default: []].append(source.objectID.primaryKey) }
            let person = try context.createDestinationInstance(for: source)
            guard let level = try source.integer("level") else { return }
            let grade = try context.findOrInsert("Grade", where: ["name": .string("g\(level)")]).object
            try person.relate("grade", to: grade)
            guard level == 3 else { return }
            try context.createDestinationInstance(for: source).set("title", to: .string("twice"))
        }

        override func endInstanceCreation(in context: MigrationContext) throws {
            try context.insert("Grade").set("name", to: .string("last"))
        }

        override func createRelationships(
            for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
        ) throws {
            guard try source.integer("level") == 4, let name = try source.string("name") else { return }
            try destination.set("title", to: .string("related \(name)"))
        }
    }

    /// One that keeps something in its instance, so that only all of it can be done again.
    final class CountingPolicy: GradePolicy {
        override class var isResumable: Bool { false }
        private var count = 0

        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            count += 1
            try super.createDestinationInstances(for: source, in: context)
        }

        override func endInstanceCreation(in context: MigrationContext) throws {
            try context.insert("Grade").set("name", to: .string("\(count)"))
        }
    }

    private final class Count: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private static let people = 23

    /// The third version, to which an inferred step leads.
    private static let third = ManagedObjectModel(entities: [
        entity("Club", [attribute("name")]),
        entity(
            "Grade", [attribute("name", optional: false)],
            [relationship("people", to: "Person", inverse: "grade", many: true)]),
        entity("Person", [attribute("title")], [relationship("grade", to: "Grade", inverse: "people")]),
    ])

    private static func store() throws -> TestStore {
        let rows = (1...people).map { "(\($0 * 3), 1, 1, \($0 % 5 == 0 ? "NULL" : "\($0 % 5)"), 'p\($0)')" }
        let store = try TestStore(
            from: first.entities, to: second.entities,
            rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZLEVEL, ZNAME) VALUES \(rows.joined(separator: ", "));")
        try GeneratedModels.write(
            [("1", first), ("2", second), ("3", third)], to: store.directory.file("App.xcdatamodeld"))
        return store
    }

    /// - Parameter output: the path of the new store, which then has the third version; nil to replace the store by one
    ///   of the second.
    private static func plan(
        _ store: TestStore, _ policy: EntityMigrationPolicy.Type, _ output: String? = nil
    ) throws -> ChainPlan {
        let catalog = try VersionCatalog(paths: [store.directory.file("App.xcdatamodeld")])
        let text = """
            mapping: 1
            entities:
              - name: People
                source: Person
                destination: Person
                policy: App.Policy
                attributes: {title: 'uppercase:($source.name)'}
            """
        let mapping = try MappingModelFile.read(bytes: Array(text.utf8), name: "people.yaml")
        let stages: [MigrationStage] = [.custom(from: "1", to: "2", mapping: mapping)]
        let chain = try StagedMigration(stages + (output == nil ? [] : [.lightweight(["2", "3"])])).chain(
            from: catalog.versionedModel(catalog.version(named: "1")),
            to: catalog.versionedModel(catalog.version(named: output == nil ? "2" : "3")), in: catalog)
        var policies = PolicyRegistry()
        policies.register(policy, as: "App.Policy")
        return try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: chain,
            options: .init(placement: output.map { .output($0) } ?? .replace(backup: nil), policies: policies)
        ).plan()
    }

    /// Runs until so many batches are committed.
    ///
    /// - Returns: how many there were, and whether the migration has ended.
    private static func run(
        _ store: TestStore, _ policy: EntityMigrationPolicy.Type, rows: Int, until last: Int
    ) throws -> (batches: Int, isDone: Bool) {
        let batches = Count()
        var options = MigrationOptions(limits: BatchLimits(rows: rows))
        options.resumes = true
        options.fixedLimits.pairsPerStatement = rows
        options.onCheckpoint = { name in if name == "batch " { batches.add() } }
        options.isCancelled = { batches.value >= last }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        var isDone = true
        do {
            _ = try MigrationManager(options: options).execute(plan(store, policy), unchangedSince: fingerprint)
        } catch let error as MigrationError where error.code == .cancelled {
            isDone = false
        }
        return (batches.value, isDone)
    }

    private static func content(_ store: TestStore) throws -> [String] {
        try store.rows("SELECT Z_PK, Z_ENT, ZTITLE, ZGRADE FROM ZPERSON ORDER BY 1")
            + store.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZGRADE ORDER BY 1")
            + store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
            + store.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY 2")
            + store.rows("PRAGMA integrity_check") + store.rows("PRAGMA freelist_count")
    }

    @Test(arguments: [1, 2, 3, 7])
    func aPolicyGoesOnBehindWhatWasCommitted(rows: Int) throws {
        let whole = try Self.store()
        let all = try Self.run(whole, GradePolicy.self, rows: rows, until: .max)
        #expect(all.isDone && all.batches > Self.people / rows)
        let expected = try Self.content(whole)
        #expect(expected.contains { $0.hasSuffix("|twice|") } && expected.contains("ok"))
        for last in stride(from: 1, through: all.batches, by: max(1, all.batches / 8)) {
            let store = try Self.store()
            let cut = try Self.run(store, GradePolicy.self, rows: rows, until: last)
            #expect(cut.batches == last)
            var runs = 1
            while try !Self.run(store, GradePolicy.self, rows: rows, until: last).isDone, runs <= all.batches {
                runs += 1
            }
            #expect(try Self.content(store) == expected, "\(rows) rows, ended behind \(last) batches")
            // Nobody was asked for twice, since batches are committed before a run ends.
            let asked = Self.asked.withLock { $0[store.path] ?? [] }
            #expect(asked == (1...Self.people).map { Int64($0 * 3) }, "\(rows) rows, \(last) batches")
        }
    }

    /// The files beside the new store at each checkpoint are those that a run leaves which is killed there.
    @Test(arguments: [1, 7], [NewStoreWriter.auto, .sqlite])
    func aRunThatIsKilledAtAnyCheckpointAsksForWhatWasNotCommitted(rows: Int, writer: NewStoreWriter) throws {
        let store = try Self.store()
        let folder = store.directory.file("new")
        let output = folder + "/New.sqlite"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let log = Mutex<[String]>([])
        func migrate(_ onCheckpoint: @escaping @Sendable (String) -> Void) throws -> (asked: [Int64], rows: String) {
            Self.asked.withLock { $0[store.path] = [] }
            var options = MigrationOptions(limits: BatchLimits(rows: rows))
            (options.writer, options.resumes, options.onCheckpoint) = (writer, true, onCheckpoint)
            let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
            let report = try MigrationManager(options: options).execute(
                Self.plan(store, GradePolicy.self, output), unchangedSince: fingerprint)
            let counts = report.steps.compactMap(\.migration).last?.entities.map { "\($0.mapping) \($0.written ?? -1)" }
            return (Self.asked.withLock { $0[store.path] ?? [] }, "\(counts ?? [])")
        }
        let kept = store.directory.file("kept")
        try files.createDirectory(atPath: kept, withIntermediateDirectories: true)
        let whole = try migrate { name in
            let number = log.withLock { log in
                log.append(name)
                return log.count
            }
            try? FileManager.default.copyItem(atPath: folder, toPath: kept + "/\(number)")
        }
        let names = log.withLock { $0 }
        let everyone = (1...Self.people).map { Int64($0 * 3) }
        #expect(whole.asked == everyone && names.count > 30)
        let expected = try databaseContent(output)
        for number in stride(from: 1, through: names.count, by: TestSettings.isFast ? 5 : 1) {
            try files.removeItem(atPath: folder)
            try files.copyItem(atPath: kept + "/\(number)", toPath: folder)
            // The last checkpoints come behind the new store.
            if files.fileExists(atPath: output) { break }
            let resumed = try migrate { _ in }
            let batches = names.prefix(number).count { $0 == "batch " }
            // A file that SQLite has written has no record of its steps after it is verified, and before it is moved.
            let isLost =
                writer == .sqlite && ["verified", "part 1 synchronized"].contains(names[number - 1])
                && !names.prefix(number).contains("part 1 moved")
            #expect(
                resumed.asked == (isLost ? everyone : Array(everyone.dropFirst(batches * rows))),
                "\(rows) rows, killed at \(number): \(names[number - 1])")
            #expect(resumed.rows == whole.rows)
            let content = try databaseContent(output)
            for (table, rows) in expected {
                #expect(content[table] == rows, "\(table), killed at \(number): \(names[number - 1])")
            }
            #expect(content.count == expected.count)
            #expect(try files.contentsOfDirectory(atPath: folder) == ["New.sqlite"])
        }
    }

    @Test func aPolicyThatDoesNotSayThatItCanBeginsAgain() throws {
        let store = try Self.store()
        #expect(try !Self.run(store, CountingPolicy.self, rows: 3, until: 4).isDone)
        #expect(try Self.run(store, CountingPolicy.self, rows: 3, until: .max).isDone)
        #expect(try store.rows("SELECT ZNAME FROM ZGRADE WHERE ZNAME = '\(Self.people)'").count == 1)
        let asked = Self.asked.withLock { $0[store.path] ?? [] }
        #expect(asked.count > Self.people)
    }
}

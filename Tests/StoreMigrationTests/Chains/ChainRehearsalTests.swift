import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// What a dry run of several steps says of the later ones: what it knows from running the ones before.
@Suite struct ChainRehearsalTests {
    private let store: TestStore
    private let versions: [VersionedModel]

    /// The last version wants each note to have a text, and the one before does not.
    init() throws {
        let last = [entity("Note", [attribute("kind"), attribute("more"), attribute("text", optional: false)])]
        store = try TestStore(
            from: [entity("Note", [attribute("text")])], to: [entity("Note", [attribute("kind"), attribute("text")])],
            rows: """
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
                """)
        versions = [
            store.source, store.destination,
            VersionedModel(
                name: "last", path: "last", model: try ResolvedModel(ManagedObjectModel(entities: last))),
        ]
    }

    private func plan(
        isThorough: Bool = true, policy: String? = nil, after: [StoreEdit] = [],
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ChainPlan {
        var steps = zip(versions, versions.dropFirst()).map {
            MigrationChain.Step(source: $0, destination: $1, mapping: nil, reason: "a test")
        }
        steps[1].after = after
        if let policy {
            let text = "mapping: 1\nentities:\n  - {source: Note, destination: Note, policy: \(policy)}\n"
            let mapping = try MappingModelFile.read(bytes: Array(text.utf8), name: "first.yaml")
            steps[0] = MigrationChain.Step(
                source: versions[0], destination: versions[1], mapping: mapping, reason: "a test")
        }
        var policies = PolicyRegistry()
        if let policy { policies.register(EntityMigrationPolicy.self, as: policy) }
        return try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: MigrationChain(steps: steps),
            options: .init(isThorough: isThorough, policies: policies), isCancelled: isCancelled
        ).plan()
    }

    @Test func whatALaterStepNeedsAndSomeDataLackIsFoundBefore() throws {
        try store.execute("UPDATE ZNOTE SET ZTEXT = NULL WHERE Z_PK = 2")
        let plan = try plan()
        #expect(plan.isRefused && plan.unchecked.isEmpty)
        let finding = try #require(plan.findings.first { $0.severity == .error })
        #expect(finding.subject == "Note.text" && finding.count == 1)
        #expect(finding.examples == ["x-coredata://\(TestStore.uuid)/Note/p2"])
        #expect(plan.verdict == "refused; nothing would change")
        #expect(try !self.plan(isThorough: false).isRefused)
    }

    @Test func aChainSucceedsWhereEveryStepIsPlannedOverItsData() throws {
        let plan = try plan()
        #expect(plan.severity == nil && plan.unchecked.isEmpty)
        #expect(plan.verdict == "would succeed")
        #expect(plan.steps.map { $0.plan.entities.first?.rows } == [3, 3])
        #expect(try self.plan(isThorough: false).verdict == "not known: only the models were asked for step 2")
    }

    @Test func anEditBehindTheLastStepIsTried() throws {
        let plan = try plan(after: [.update("Note", set: [("missing", "1")])])
        #expect(plan.findings.map(\.code) == ["step-fails"] && plan.isRefused)
        #expect(try self.plan(after: [.update("Note", set: [("text", "'x'")])]).verdict == "would succeed")
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "b", "c"])
    }

    @Test func whatIsBehindAPolicyOrCodeIsSaidToBeUnknown() throws {
        let plan = try plan(policy: "App.Policy")
        let finding = try #require(plan.findings.first { $0.code == "data-not-checked" })
        #expect(finding.severity == .warning)
        #expect(finding.message.contains("step 1, 2 of 2") && finding.message.contains("App.Policy"))
        #expect(plan.verdict.hasPrefix("not known"))
        let code = try self.plan(after: [.code("clean up") { _ in Issue.record("code of a dry run") }])
        #expect(code.findings.map(\.code) == ["data-not-checked"])
        #expect(code.verdict.hasPrefix("not known"))
    }

    /// What makes a text of its own for each note, and fails for one of them.
    private final class Renaming: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let note = try context.createDestinationInstance(for: source)
            let text = try source.string("text") ?? ""
            if text == "bad" { throw PolicyFailure() }
            try note.set("text", to: text == "none" ? nil : .string(text + "!"))
        }
    }

    private struct PolicyFailure: Error, CustomStringConvertible {
        let description = "this note cannot be renamed"
    }

    /// With policies and code run on scratch stores, what a dry run says is known.
    @Test(arguments: [1, 2])
    func aRehearsalRunsPoliciesAndCode(steps count: Int) throws {
        func rehearse(_ placement: MigrationPlacement = .replace(backup: nil), policy: String? = "App.Renaming") throws
            -> ChainPlan
        {
            let text = "mapping: 1\nentities:\n  - {source: Note, destination: Note, policy: App.Renaming}\n"
            let mapping = try policy.map { _ in
                try MappingModelFile.read(bytes: Array(text.utf8), name: "first.yaml")
            }
            var steps = zip(versions, versions.dropFirst()).prefix(count).enumerated().map { index, pair in
                MigrationChain.Step(
                    source: pair.0, destination: pair.1, mapping: index == 0 ? mapping : nil, reason: "a test")
            }
            if count > 1 { steps[1].after = [.code("look") { ran.append($0.files.path) }] }
            var policies = PolicyRegistry()
            policies.register(Renaming.self, as: "App.Renaming")
            var options = MigrationPlanner.Options(placement: placement, isThorough: true, policies: policies)
            options.rehearses = true
            return try ChainPlanner(
                store: SQLiteStore(path: store.path), chain: MigrationChain(steps: steps), options: options
            ).plan()
        }
        let ran = Places()
        let plan = try rehearse()
        #expect(plan.findings == [] && plan.verdict == "would succeed")
        #expect(plan.steps.allSatisfy { !$0.isSketch && $0.plan.entities.first?.rows == 3 })
        #expect(ran.paths.count == count - 1 && !ran.paths.contains(store.path))
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "b", "c"])
        if count == 1 { #expect(try rehearse(.inPlace(backup: nil), policy: nil).verdict == "would succeed") }
        try store.execute("UPDATE ZNOTE SET ZTEXT = 'none' WHERE Z_PK = 2")
        // Only the last version needs a text.
        #expect(try rehearse().isRefused == (count == 2))
        try store.execute("UPDATE ZNOTE SET ZTEXT = 'bad' WHERE Z_PK = 2")
        let failed = try rehearse()
        #expect(failed.isRefused && failed.findings.map(\.code) == ["step-fails"])
        #expect(failed.findings.first?.message.contains("this note cannot be renamed") == true)
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "bad", "c"])
    }

    private final class Places: @unchecked Sendable {
        var paths: [String] = []
        func append(_ path: String) { paths.append(path) }
    }

    /// A chain of one step is tried, too, if edits follow it; and what its policies make is unknown.
    @Test func theOnlyStepIsTriedWithItsEdits() throws {
        func plan(_ edits: [StoreEdit], _ options: MigrationPlanner.Options) throws -> ChainPlan {
            var step = MigrationChain.Step(
                source: versions[0], destination: versions[1], mapping: nil, reason: "a test")
            if let mapping = options.mapping {
                let file = try MappingModelFile.read(
                    bytes: Array(MappingModelWriter.yaml(mapping).utf8), name: "first.yaml")
                step = MigrationChain.Step(
                    source: versions[0], destination: versions[1], mapping: file, reason: "a test")
            }
            step.after = edits
            return try ChainPlanner(
                store: SQLiteStore(path: store.path), chain: MigrationChain(steps: [step]), options: options
            ).plan()
        }
        let refused = try plan(
            [.update("Note", set: [("text", "CAST(text, 'NSNumber') + 1")])], .init(isThorough: true))
        #expect(refused.findings.map(\.code) == ["step-fails"] && refused.isRefused)
        #expect(refused.verdict == "refused; nothing would change")
        let edit = StoreEdit.update("Note", set: [("text", "text + '!'")])
        #expect(try plan([edit], .init(isThorough: true)).verdict == "would succeed")
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "b", "c"])
        var policies = PolicyRegistry()
        policies.register(EntityMigrationPolicy.self, as: "App.Policy")
        let mapping = MappingModel(entityMappings: [
            EntityMapping(
                name: "Notes", type: .undefined, sourceEntityName: "Note", destinationEntityName: "Note",
                attributeMappings: [PropertyMapping(name: "text", valueExpression: "$source.text")],
                migrationPolicyClassName: "App.Policy")
        ])
        for edits in [[], [edit]] {
            let unknown = try plan(edits, .init(isThorough: true, mapping: mapping, policies: policies))
            #expect(unknown.findings.map(\.code) == ["data-not-checked"] && unknown.severity == .warning)
            #expect(unknown.findings.allSatisfy { $0.message.contains("App.Policy") })
            #expect(unknown.verdict.hasPrefix("not known"))
        }
        #expect(try plan([], .init(mapping: mapping, policies: policies)).findings.isEmpty)
        let byDefault = try plan(
            [], .init(isThorough: true, mapping: mapping, defaultPolicies: ["App.Policy"], policies: policies))
        #expect(byDefault.verdict == "would succeed")
    }

    @Test func aRehearsalEndsWhereItIsCancelled() throws {
        let error = #expect(throws: MigrationError.self) { try plan(isCancelled: { true }) }
        #expect(error?.code == .cancelled)
    }
}

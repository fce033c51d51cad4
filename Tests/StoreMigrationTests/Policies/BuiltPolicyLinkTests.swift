import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import Synchronization
import TestSupport
import Testing

@testable import StoreMigration

/// Links that policies set, beside those of mappings, are the same whether the file is built with them or SQLite writes
/// them.
@Suite(.serialized) struct BuiltPolicyLinkTests {
    /// Relates objects at random; each decision depends only on the seed, the phase and the object.
    class Relating: EntityMigrationPolicy {
        static let seed = Mutex(UInt64(0))
        private var random = RandomNumbers(seed: 0)

        /// Whether a source may have two objects.
        var mayDouble: Bool { true }

        private func chance(_ whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) == 0 }

        private func begin(_ phase: UInt64, _ source: SourceObject) {
            let key = UInt64(bitPattern: source.objectID.primaryKey)
            random = RandomNumbers(seed: Self.seed.withLock { $0 } &* 7919 &+ key &* 31 &+ phase)
        }

        private func relate(_ object: DestinationObject, _ context: MigrationContext) throws {
            let layout = context.run.program.destination
            guard let entity = layout.model.entity(named: object.entityName) else { return }
            for relationship in entity.relationships where relationship.isStored && chance(2) {
                let slots = layout.model.entities[relationship.destination].subtree.filter {
                    !layout.model.entities[$0].isAbstract
                }
                func ids(_ most: Int) -> [ManagedObjectID] {
                    (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
                        slots.randomElement(using: &random).map {
                            // Some of these keys belong to no object.
                            ManagedObjectID(
                                storeUUID: object.objectID.storeUUID, entityName: layout.model.entities[$0].name,
                                primaryKey: Int64.random(in: 1...9, using: &random))
                        }
                    }
                }
                if !relationship.isToMany {
                    try object.relate(relationship.name, to: ids(1))
                } else if chance(3) {
                    try object.relate(relationship.name, to: ids(4))
                } else {
                    try object.add(relationship.name, ids(3))
                    if chance(6) { try object.relate(relationship.name, to: ids(1)) }
                }
            }
        }

        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            begin(1, source)
            if chance(9) { return }
            let object = try context.createDestinationInstance(for: source)
            if chance(3) { try relate(object, context) }
            guard mayDouble, chance(8) else { return }
            try relate(context.createDestinationInstance(for: source), context)
        }

        override func createRelationships(
            for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
        ) throws {
            begin(2, source)
            if chance(2) { try relate(destination, context) }
            if !chance(5) { context.createMappedRelationships(for: destination) }
            if chance(4) {
                #expect(try context.sourceObjects(for: [destination.objectID])[0].contains(source.objectID))
                #expect(try context.destinationObject(destination.objectID)?.objectID == destination.objectID)
            }
            if chance(9) { try context.associate(source, with: destination) }
        }

        override func performCustomValidation(in context: MigrationContext) throws {
            // Pairs and objects are found when the file has been built with the links, too.
            let association = context.run.program.associations.first { $0.mapping == context.mapping.name }
            guard let slot = association?.source, let uuid = association.map({ _ in context.run.program.storeUUID })
            else { return }
            for key in 1...4 as ClosedRange<Int64> {
                let name = context.sourceModel.entities[slot].name
                let source = ManagedObjectID(storeUUID: uuid, entityName: name, primaryKey: key)
                for made in try context.destinationObjects(for: [source], mappingName: context.mapping.name)[0] {
                    #expect(try context.sourceObjects(for: [made])[0].contains { $0.primaryKey == key })
                    #expect(try context.destinationObject(made)?.objectID == made)
                }
            }
        }
    }

    /// The result by table, which must be the same whether it is built or SQLite writes it; nil if the migration is
    /// refused or fails in both cases.
    static func comparedContent(
        _ mapping: MappingModel, _ options: MigrationOptions, _ store: TestStore, _ policies: PolicyRegistry,
        _ seed: UInt64
    ) throws -> [String: [[SQLiteValue]]]? {
        let written = try content(.sqlite, mapping, options, store, policies)
        let built = try content(.auto, mapping, options, store, policies)
        try #require((built == nil) == (written == nil), "seed \(seed)")
        guard let built, let written else { return nil }
        for (table, rows) in written { try #require(built[table] == rows, "seed \(seed), \(table)") }
        try #require(built.count == written.count, "seed \(seed)")
        return built
    }

    /// The result by table; nil if the migration is refused or fails. The order of rows in join tables means nothing.
    private static func content(
        _ writer: NewStoreWriter, _ mapping: MappingModel, _ options: MigrationOptions, _ store: TestStore,
        _ policies: PolicyRegistry
    ) throws -> [String: [[SQLiteValue]]]? {
        let path = store.directory.file("\(writer).sqlite")
        try FileSystem.remove(path)
        var options = options
        options.writer = writer
        options.verifiesFully = true
        let plan = try store.plan(by: mapping, .report, at: .output(path), policies: policies)
        guard !plan.isRefused else { return nil }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        do {
            _ = try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
        } catch let error as MigrationError {
            switch error.code {
            // Values may not be unique, values or links may not be allowed, and a policy may leave out a required value.
            case .constraint, .refused, .invalid, .policy: return nil
            default: throw error
            }
        }
        #expect(!FileSystem.exists(StagedFile.rowsPath(of: StagedFile.stagingPath(for: path))))
        var content = try databaseContent(path)
        for join in plan.destinationLayout?.joinTables ?? [] {
            content[join.name] = content[join.name]?.map { Array($0.dropFirst()) }.sorted { left, right in
                left.lexicographicallyPrecedes(right) { ($0.integer ?? .min) < ($1.integer ?? .min) }
            }
        }
        return content
    }

    @Test(.long) func theyAreThoseThatSQLiteWrites() throws {
        let seeds = RandomNumbers.seeds(160)
        var policies = PolicyRegistry()
        policies.register(Relating.self, as: "App.Relating")
        var (compared, built, pairs) = (0, 0, 0)
        for number in seeds {
            let seed = UInt64(number)
            var random = RandomNumbers(seed: seed)
            var models = RandomModel(seed: seed)
            let old = models.model()
            let new = models.laterVersion(of: old)
            var writer = StoreWriter()
            writer.encoding = [.utf8, .utf16LittleEndian, .utf8, .utf16BigEndian][number % 4]
            let store = try TestStore(from: old, to: new, writer: writer, content: seed &* 13 &+ 1, upTo: 14)
            if Bool.random(using: &random) { try store.addHistory(&random) }
            var mapping = store.inferred.editableModel
            for index in mapping.entityMappings.indices where mapping.entityMappings[index].type != .remove {
                mapping.entityMappings[index].relationshipMappings.removeAll { _ in
                    Int.random(in: 0..<4, using: &random) == 0
                }
                guard mapping.entityMappings[index].sourceEntityName != nil, Bool.random(using: &random) else {
                    continue
                }
                mapping.entityMappings[index].migrationPolicyClassName = "App.Relating"
            }
            Relating.seed.withLock { $0 = seed }
            guard let program = try? store.plan(by: mapping, .report, policies: policies).program else { continue }
            let size = [nil, 1, 2, 3, 7].randomElement(using: &random) ?? nil
            let options = MigrationOptions.limited(size, &random)
            guard let result = try Self.comparedContent(mapping, options, store, policies, seed) else { continue }
            compared += 1
            if LinkedProgram(program) != nil { built += 1 }
            for join in store.joinTables { pairs += result[join]?.count ?? 0 }
        }
        #expect(compared > seeds.count / 3)
        #expect(built > seeds.count / 5)
        #expect(pairs > 0)
    }
}

extension TestStore {
    /// The names of the join tables of the new version.
    var joinTables: [String] { LayoutPrediction.layout(of: destination.model).joinTables.map(\.name) }
}

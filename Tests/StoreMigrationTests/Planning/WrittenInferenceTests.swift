import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// What inference found, written as a mapping model and read again, is the migration that inference makes: the same
/// plan, and the same file.
@Suite struct WrittenInferenceTests {
    /// What a plan says of entities and method, but for the names of the mappings.
    private static func outline(_ plan: MigrationPlan) -> [String] {
        ["\(plan.method.rawValue): \(plan.methodReason)"]
            + plan.entities.map {
                "\($0.mapping) \($0.source ?? "") \($0.destination ?? "") \($0.tier.rawValue) \($0.reason)"
            }.sorted()
            + plan.findings.map { "\($0.severity.rawValue) \($0.code) \($0.subject ?? "") \($0.count ?? 0)" }.sorted()
    }

    /// Whether any default of the destination cannot stand in an expression, so that the written form says less.
    private static func hasUnwritableDefaults(_ model: ManagedObjectModel) -> Bool {
        model.entities.contains { entity in
            entity.attributes.contains { attribute in
                switch attribute.defaultValue {
                case .binary, .array, .unparsed: true
                default: false
                }
            }
        }
    }

    @Test(.long, arguments: RandomNumbers.seeds(60))
    func theWrittenFormIsTheSameMigration(seed: Int) throws {
        let seed = UInt64(seed)
        var models = RandomModel(seed: seed)
        let old = models.model()
        let new = models.laterVersion(of: old)
        var writer = StoreWriter()
        writer.columnSeed = seed
        writer.hasHistory = seed % 4 == 0
        let store = try TestStore(from: old, to: new, writer: writer, content: seed &* 31 &+ 7, upTo: 12)
        // A mapping model must link what is required, and inference need not.
        let lacksLinks = try store.plan(isThorough: true).findings.contains { $0.code == "missing-relationship" }
        guard !lacksLinks, !Self.hasUnwritableDefaults(new) else { return }
        let inferred = store.inferred
        let file = try store.directory.write(MappingModelWriter.yaml(inferred.editableModel), to: "m.yaml")
        let written = try MappingModelFile.read(path: file).model
        for placement in [MigrationPlacement.output(store.directory.file("A.sqlite")), .inPlace(backup: nil)] {
            let plan = try store.plan(placement)
            guard !plan.isRefused, !plan.isUpToDate else { return }
            let mapped = try store.plan(by: written, .refuse, at: placement)
            try #require(Self.outline(mapped) == Self.outline(plan), "seed \(seed)")
        }
        let direct = store.directory.file("Direct.sqlite")
        let mapped = store.directory.file("Mapped.sqlite")
        try store.migrate(.output(direct))
        try store.migrate(by: written, .refuse, at: .output(mapped))
        let (found, wanted) = try (databaseContent(mapped), databaseContent(direct))
        try #require(found == wanted, "seed \(seed)")
    }
}

import ExternalPrograms
import ManagedObjectModels
import MappingModels
import StoreMigration

/// The models and mapping models of a fleet, read once for many stores. Confined to one thread.
final class FleetModels {
    let migrationModels: MigrationModels

    /// A checksum by which a run detects that the models or mapping models have changed since planning.
    let checksum: String

    var catalog: VersionCatalog { migrationModels.catalog }

    init(_ options: FleetOptions) throws {
        var paths = MigrationModels.Paths(models: options.models)
        paths.sources = options.selection
        paths.mappings = options.mappings
        paths.looksBesideModels = options.operation == .migrate && options.chain != .direct
        let models = try MigrationModels(paths)
        // In a migration, the version of each store is determined by its own hashes.
        if options.operation == .migrate { models.catalog.versionOption = nil }
        migrationModels = models
        var checksum = ContentChecksum()
        for version in migrationModels.catalog.versions {
            checksum.add(version.name.utf8)
            checksum.add(((try? migrationModels.catalog.versionedModel(version).digest) ?? "").utf8)
        }
        for document in migrationModels.documents { checksum.add(MappingModelWriter.yaml(document.model).utf8) }
        self.checksum = checksum.text
    }

    /// Returns a migrator for one store.
    ///
    /// - Parameter isDryRun: whether only plans are made, and nothing is written.
    func migrator(
        _ options: FleetOptions, isDryRun: Bool = false, isCancelled: (@Sendable () -> Bool)?
    ) -> StoreMigrator {
        var registry = PolicyRegistry()
        for (name, text) in options.policies where text != "default" {
            guard var command = ExternalProgram(text) else { continue }
            command.patience = options.policyTimeout
            registry.register(command, as: name)
        }
        var result = StoreMigrator.Options()
        result.destination = options.version
        result.chain = options.chain
        result.planning = MigrationPlanner.Options(
            history: options.history, defaultPolicies: Set(options.policies.filter { $0.value == "default" }.keys),
            policies: registry)
        result.planning.narrowing = options.narrowing
        result.planning.invalidObjects = options.invalidObjects
        result.isDryRun = isDryRun
        result.isCancelled = isCancelled
        return StoreMigrator(migrationModels, options: result)
    }
}

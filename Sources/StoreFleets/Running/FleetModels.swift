import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration

/// The models and mapping models of a fleet, read once for many stores. Confined to one thread.
final class FleetModels {
    let catalog: VersionCatalog
    let mappings: [MappingModelDocument]
    let found: [MappingModelDocument]

    /// Tells whether the models and mapping models are those of the plan.
    let checksum: String

    init(_ options: FleetOptions) throws {
        catalog = try VersionCatalog(paths: options.models, sources: options.selection)
        var mappings: [MappingModelDocument] = []
        var found: [MappingModelDocument] = []
        for path in options.mappings {
            let paths = try MappingModelFile.paths(at: path)
            let documents = try paths.map { try MappingModelFile.read(path: $0) }
            // Of a folder those that are on the way are meant.
            if paths == [path] { mappings += documents } else { found += documents }
        }
        // Compiled mapping models lie beside the models in an app; one that cannot be read is not used.
        if options.operation == .migrate, options.chain != .direct {
            let known = Set((mappings + found).map(\.name))
            for path in options.models.flatMap(MappingModelFile.compiledPaths) where !known.contains(path) {
                if let document = try? MappingModelFile.read(path: path) { found.append(document) }
            }
        }
        (self.mappings, self.found) = (mappings, found)
        var checksum = ContentChecksum()
        for version in catalog.versions {
            checksum.add(version.name.utf8)
            checksum.add(((try? catalog.versionedModel(version).digest) ?? "").utf8)
        }
        for document in mappings + found { checksum.add("\(document.model)".utf8) }
        self.checksum = checksum.text
    }

    /// A program for a class that nothing names would not be run, and no one would notice.
    func checkPolicies(_ options: FleetOptions) throws(FleetError) {
        let known = Set((mappings + found).flatMap { $0.model.entityMappings.compactMap(\.migrationPolicyClassName) })
        for name in options.policies.keys.sorted()
        where !known.contains(where: { PolicyRegistry.isSameClass($0, name) }) {
            throw .unknownPolicy(name, known: known.sorted())
        }
    }
}

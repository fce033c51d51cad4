public import MappingModels
public import SwiftDataModels

/// The models, mapping models and stages of migrations, which are read once for many stores. Must only be used by one
/// thread.
public final class MigrationModels {
    /// The paths of models, mapping models and stages.
    public struct Paths: Sendable {
        /// The paths of model bundles, models, Swift sources, or folders that contain them.
        public var models: [String]

        /// Whether the current versions of the models are merged into one.
        public var isMerging = false

        /// The options for Swift sources.
        public var sources = SwiftDataSelection()

        /// The paths of mapping models, or of folders that contain them.
        public var mappings: [String] = []

        /// A file with the stages of the migration; nil to find a chain.
        public var stages: String?

        /// Whether compiled mapping models are searched beside the models, where apps have them.
        public var looksBesideModels = true

        /// Creates paths of models; by default, only mapping models beside them are used.
        public init(models: [String]) {
            self.models = models
        }
    }

    /// The versions of the models.
    public let catalog: VersionCatalog

    /// Errors of mapping models beside the models that cannot be read, and are not used.
    public private(set) var unreadable: [any Error] = []

    let named: [MappingModelDocument]
    private(set) var found: [MappingModelDocument]
    let stages: StagedMigrationDocument?

    /// Reads the files at the paths.
    /// - Throws: the errors of reading models, mapping models and stages.
    public init(_ paths: Paths) throws {
        catalog = try VersionCatalog(paths: paths.models, isMerging: paths.isMerging, sources: paths.sources)
        var (named, found): ([MappingModelDocument], [MappingModelDocument]) = ([], [])
        for path in paths.mappings {
            let files = try MappingModelFile.paths(at: path)
            let documents = try files.map { try MappingModelFile.read(path: $0) }
            // Of the mapping models in a folder, only those on the way are used.
            if files == [path] { named += documents } else { found += documents }
        }
        (self.named, self.found) = (named, found)
        stages = try paths.stages.map { try StagedMigrationDocument.read(path: $0) }
        guard stages == nil, paths.looksBesideModels else { return }
        let known = Set(documents.map(\.name))
        for path in paths.models.flatMap(MappingModelFile.compiledPaths) where !known.contains(path) {
            do {
                self.found.append(try MappingModelFile.read(path: path))
            } catch {
                unreadable.append(error)
            }
        }
    }

    /// The mapping models, beginning with those that were specified.
    public var documents: [MappingModelDocument] { named + found }

    /// Warnings about parts of the specified mapping models that are not supported.
    public var warnings: [String] { named.flatMap { $0.warnings.map { "\($0)" } } }

    func chain(
        from source: VersionedModel, to destination: VersionedModel, mode: ChainMode
    ) throws -> MigrationChain {
        try stages.map { try $0.chain(from: source, to: destination, in: catalog) }
            ?? ChainFinder(catalog: catalog, mappings: named, found: found)
            .chain(from: source, to: destination, mode: mode)
    }

    /// Checks that every policy class is used, because a program for an unknown class would silently never run.
    ///
    /// - Parameters:
    ///   - classes: the classes for which there are programs.
    ///   - chain: the chain of a store, which may have its own mapping models. Stages outside of the chain are
    ///     included, because a store may already have passed them.
    /// - Throws: `UnknownPolicyClass` for the first class that neither the mapping models nor the chain name.
    public func check(
        policyClasses classes: some Sequence<String>, in chain: MigrationChain? = nil
    ) throws(UnknownPolicyClass) {
        let documents =
            documents + (chain?.steps.compactMap(\.mapping) ?? [])
            + (stages?.migration.stages.compactMap(\.mapping) ?? [])
        let known = Set(documents.flatMap { $0.model.entityMappings.compactMap(\.migrationPolicyClassName) })
        for name in classes where !known.contains(where: { PolicyRegistry.isSameClass($0, name) }) {
            throw UnknownPolicyClass(name: name, known: known.sorted())
        }
    }
}

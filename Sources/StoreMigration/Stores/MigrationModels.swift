public import MappingModels
public import SwiftDataModels

/// The models, mapping models and stages that migrations use, read once for many stores. Confined to one thread.
public final class MigrationModels {
    /// Where they are.
    public struct Paths: Sendable {
        /// Model bundles, models, Swift sources, or folders with some.
        public var models: [String]

        /// Whether the current versions of the models are merged into one.
        public var isMerging = false

        /// What of Swift sources is meant.
        public var sources = SwiftDataSelection()

        /// Mapping models, or folders with some.
        public var mappings: [String] = []

        /// A file with the stages of the migration, instead of a chain that is found; nil to find the chain.
        public var stages: String?

        /// Whether compiled mapping models beside the models are looked for, as they lie in an app.
        public var looksBesideModels = true

        /// Makes paths of models; nothing else is looked for but mapping models beside them.
        public init(models: [String]) {
            self.models = models
        }
    }

    /// The versions of the models.
    public let catalog: VersionCatalog

    /// Mapping models beside the models that cannot be read, and are not used.
    public private(set) var unreadable: [any Error] = []

    let named: [MappingModelDocument]
    private(set) var found: [MappingModelDocument]
    let stages: StagedMigrationDocument?

    /// Reads what the paths lead to.
    /// - Throws: what reading models, mapping models and stages throws.
    public init(_ paths: Paths) throws {
        catalog = try VersionCatalog(paths: paths.models, isMerging: paths.isMerging, sources: paths.sources)
        var (named, found): ([MappingModelDocument], [MappingModelDocument]) = ([], [])
        for path in paths.mappings {
            let files = try MappingModelFile.paths(at: path)
            let documents = try files.map { try MappingModelFile.read(path: $0) }
            // Of a folder those that are on the way are meant.
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

    /// The mapping models, those that were named first.
    public var documents: [MappingModelDocument] { named + found }

    /// What the mapping models that were named have and is not read.
    public var warnings: [String] { named.flatMap { $0.warnings.map { "\($0)" } } }

    func chain(
        from source: VersionedModel, to destination: VersionedModel, mode: ChainMode
    ) throws -> MigrationChain {
        try stages.map { try $0.chain(from: source, to: destination, in: catalog) }
            ?? ChainFinder(catalog: catalog, mappings: named, found: found)
            .chain(from: source, to: destination, mode: mode)
    }

    /// A program for a class that nothing names would not be run, and no one would notice.
    ///
    /// - Parameters:
    ///   - classes: the classes that programs stand for.
    ///   - chain: the way of a store, which may name mapping models of its own. Stages that are not on it count, too: a
    ///     store may have passed them.
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

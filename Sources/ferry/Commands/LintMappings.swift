import ManagedObjectModels
import MappingModels
import StoreMigration

/// The mapping models that do the steps to a version, as far as the options name them.
struct LintMappings {
    /// By the digest of the version that they lead from.
    private var documents: [String: MappingModelDocument] = [:]
    private let catalog: VersionCatalog?

    /// Says on standard error which of them are for no step that is looked at.
    ///
    /// - Parameters:
    ///   - old: the version of the only step; nil if there are several.
    ///   - path: where the models are.
    init(_ options: LintOptions, from old: ModelVersion? = nil, to new: ModelVersion, in path: String) throws {
        guard !options.mappings.isEmpty else {
            catalog = nil
            return
        }
        let catalog = try VersionCatalog(paths: [path], sources: options.sources.selection)
        self.catalog = catalog
        let destination = try catalog.versionedModel(new)
        let onlySource = try old.map { try catalog.versionedModel($0) }
        var found: [String: [MappingModelDocument]] = [:]
        let paths = try options.mappings.flatMap { try MappingModelFile.paths(at: $0) }
        for path in paths {
            let document = try MappingModelFile.read(path: path)
            document.warnings.forEach { Console.note("warning: \($0)\n") }
            // One that does not say its versions is for the only step there is, as it is in a migration.
            let assumed = paths.count == 1 ? onlySource : nil
            let source = (try? catalog.sourceVersion(of: document.model, named: nil)) ?? assumed
            let target =
                (try? catalog.destinationVersion(of: document.model, named: nil))
                ?? (assumed == nil ? nil : destination)
            guard let source, let target else {
                Console.note("note: \(path) does not say which versions it leads between; it is left out\n")
                continue
            }
            guard target.digest == destination.digest, onlySource.map({ $0.digest == source.digest }) ?? true else {
                Console.note("note: \(path) leads from \(source.name) to \(target.name); it is left out\n")
                continue
            }
            found[source.digest, default: []].append(document)
        }
        documents = try found.compactMapValues { try MappingModelDocument.passes($0) }
    }

    /// The mapping model that leads from a version; nil if the step is inferred.
    func document(from old: ModelVersion) -> MappingModelDocument? {
        (try? catalog?.versionedModel(old).digest).flatMap { documents[$0] }
    }
}

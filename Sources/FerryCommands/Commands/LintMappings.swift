import ManagedObjectModels
import MappingModels
import StoreMigration

/// The mapping models for the steps to a version, if the options name any.
struct LintMappings {
    /// The mapping models, by the digest of their source version.
    private var documents: [String: MappingModelDocument] = [:]
    private let catalog: VersionCatalog?

    /// Notes on standard error the mapping models that do not belong to an examined step.
    ///
    /// - Parameters:
    ///   - old: the version of the only step; nil if there are several.
    ///   - path: the path of the models.
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
            // As in a migration, a mapping model without versions is used for the step if there is only one.
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

    /// Returns the mapping model for the step from a version; nil if the step is inferred.
    func document(from old: ModelVersion) -> MappingModelDocument? {
        (try? catalog?.versionedModel(old).digest).flatMap { documents[$0] }
    }
}
